/* What the addresses of one access cost: rules of the machine. */
#ifndef WATCH_COUNTERS_COST_H
#define WATCH_COUNTERS_COST_H

#include "sim/event.h"

/* Lanes in a mask.  Most masks are full, and a processor that we cannot be
 * sure of has no instruction for it. */
static inline uint32_t cost_lanes(uint32_t mask)
{
    if (mask == UINT32_MAX)
        return WARP_LANES;
    mask -= mask >> 1 & 0x55555555;
    mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333);
    mask = (mask + (mask >> 4)) & 0x0f0f0f0f;
    return mask * 0x01010101 >> 24;
}

/* Passes through shared memory: 32 banks of 4 bytes.  Lanes that want one word
 * get it together; each further word of a bank costs a pass.  8 bytes a lane
 * go in two halves of the warp, 16 bytes in four quarters; pieces without an
 * active lane cost nothing, and a load takes two of them in one go if they
 * have no more lanes than one may have, where neighbours with one address
 * count once.  An atomic does one lane a bank and pass, whatever the word.  *least: passes of the best addresses for these lanes. */
uint32_t cost_wavefronts(const struct event *, uint32_t *least);

/* Pieces of 32 bytes that the lanes touch, each counted once. */
uint32_t cost_sectors(const struct event *);
/* The same in local memory, where the words of one name lie lane by lane next
 * to each other. */
uint32_t cost_local_sectors(const struct event *);

/* The number of lanes that share the word wanted by most. */
uint32_t cost_same_word(const struct event *);

#endif
