/* What the addresses of one access cost: rules of the machine. */
#ifndef WATCH_COUNTERS_COST_H
#define WATCH_COUNTERS_COST_H

#include "sim/event.h"

/* Passes through shared memory: 32 banks of 4 bytes.  Lanes that want one word
 * get it together; each further word of a bank costs a pass.  8 bytes a lane
 * go in two halves of the warp, 16 bytes in four quarters; pieces without an
 * active lane cost nothing.  An atomic does one lane a bank and pass, whatever
 * the word.  *least: passes of the best addresses for these lanes. */
uint32_t cost_wavefronts(const struct event *, uint32_t *least);

/* Pieces of 32 bytes that the lanes touch, each counted once. */
uint32_t cost_sectors(const struct event *);

/* The number of lanes that share the word wanted by most. */
uint32_t cost_same_word(const struct event *);

#endif
