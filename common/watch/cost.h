/* The time model: how long a kernel would take on a GPU that is not here.
 *
 * A watcher records what the warps of a few blocks do (a dozen, whatever the
 * grid).  At the end of the launch their instructions are issued again on a
 * model of one SM with as many blocks resident as the GPU would have: issue
 * slots, latencies, shared memory, barriers, loads in flight, and queues for
 * what all SMs share - DRAM, L2, atomics on one word.  That is extended to the
 * grid.  docs/time-model.md explains it and shows how near it comes.
 *
 * The result depends on the kernel, the launch and the GPU profile only, not
 * on the host or its threads. */
#ifndef WATCH_COST_H
#define WATCH_COST_H

#include "sim/event.h"
#include "watch/gpu.h"

enum { COST_SHARES = 9 };
struct cost_share {
    const char *name; /* "barriers" */
    double share;     /* of the time, 0..1 */
};

struct cost_result {
    bool is_known; /* false: the launch did not run to its end */
    const struct gpu *gpu;
    double time_ns;    /* of the kernel, as Nsight Compute counts it */
    double dram_bytes; /* read from DRAM, of all blocks */
    double limit_ns;   /* those bytes at the best bandwidth */
    uint32_t resident; /* blocks on an SM at once */
    double waves;      /* the grid over what the GPU holds */
    struct cost_share shares[COST_SHARES]; /* largest first */
};

/* The blocks of a grid that are recorded: the first, the last, and some
 * between.  Gives how many.  A launch of these alone (launch.h: only) gives
 * the same time, if no block waits for another. */
enum { COST_SAMPLES = 8 };
int cost_samples(uint64_t blocks, uint64_t list[COST_SAMPLES]);

/* Blocks may wait for others, or do more when they are last: then the whole
 * grid must run, for the same blocks to be recorded. */
bool cost_needs_all_blocks(const struct ptx_function *);

struct watcher *cost_watcher(const struct gpu *);
/* Valid after the launch, until cost_watcher_free. */
const struct cost_result *cost_watcher_result(const struct watcher *);
void cost_watcher_free(struct watcher *);

/* "barriers 41 %, issue 33 %, DRAM 12 %": the three largest. */
const char *cost_shares_text(const struct cost_result *, char *text,
                             size_t size);

#endif
