/* Counters: what a launch did, in Nsight Compute's terms.
 *
 *   events --counters.c--> cells: how often each instruction ran in each step,
 *                          and what its addresses cost (counters_cost.c)
 *   cells --counters_sum.c--> rows of (step, line) and totals
 *
 * What follows from addresses alone is exact; counts of instructions are an
 * estimate of what the hardware's compiler makes (sass.h).  counters.def has a
 * row for each counter.
 *
 * A step is what a warp does between two meetings that matter: a block
 * barrier with a store to shared memory before it (by any warp of the block),
 * or a __syncwarp() after a store of the warp's own.  So each round of a
 * tree is one step, and what comes before the first barrier is step 0.  The
 * last of STEPS steps takes what comes after it, too. */
#ifndef WATCH_COUNTERS_H
#define WATCH_COUNTERS_H

#include "sim/event.h"

enum counter {
#define COUNTER(id, name, plain, basis, meaning) COUNT_##id,
#include "watch/counters.def"
#undef COUNTER
    COUNTERS
};
struct counter_info {
    const char *name;  /* Nsight Compute's, or "lab__..." */
    const char *plain; /* for people */
    bool is_exact;     /* else an estimate at the level of PTX */
    const char *meaning;
};
extern const struct counter_info counter_infos[COUNTERS];

enum { STEPS = 48 };

/* One line of the source in one step. */
struct counters_row {
    int step;
    char *file; /* as the compiler named it; owned; NULL unknown */
    int line;   /* 0 unknown */
    uint64_t value[COUNTERS];
    uint32_t worst; /* wavefronts of its worst access to shared memory, for
                       each that the access needs at least: 8 is an 8-way
                       conflict; 0 no such access */
};
struct counters {
    uint64_t total[COUNTERS];
    struct counters_row *rows; /* by step, then by line */
    int row_count;
    int steps; /* that happened */
    uint64_t blocks, warps, threads;
};
void counters_free(struct counters *); /* NULL is fine */

/* Ratios that Nsight Compute knows by name, from the totals. */
struct counter_ratio {
    const char *name, *plain;
    enum counter above, below;
    bool is_exact;
};
extern const struct counter_ratio counter_ratios[];
extern const int counter_ratio_count;
/* above / below, 0 if nothing was counted. */
double counters_ratio(const struct counters *, const struct counter_ratio *);

/* The rows of one line, or of one step, added up: for each of them one row,
 * by rising line or step; `file` is not owned.  Returns how many; free the
 * array. */
int counters_by_line(const struct counters *, struct counters_row **);
int counters_by_step(const struct counters *, struct counters_row **);

/* Watches one launch. */
struct watcher *counters_watcher(void);
/* After the launch: the counters, for the caller to free. */
struct counters *counters_take(struct watcher *);
void counters_watcher_free(struct watcher *);

#endif
