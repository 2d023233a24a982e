/* A watcher that wants every event and believes none: it looks at each field
 * and ends the program when one breaks a promise of sim/event.h.  For fuzzers
 * and for tests that run kernels of all kinds. */
#ifndef SUPPORT_WITNESS_H
#define SUPPORT_WITNESS_H

#include "sim/launch.h"

struct witness;
struct witness *witness_new(void);
struct watcher *witness_watcher(struct witness *);
/* After the launch: do the sums over all events agree with the result? */
void witness_check(const struct witness *, const struct launch_result *);
/* Events of that kind, all blocks together. */
uint64_t witness_count(const struct witness *, enum event_kind);
void witness_free(struct witness *);

#endif
