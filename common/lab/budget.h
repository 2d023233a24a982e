/* Budgets: what a stage may spend if its idea is there.
 *
 * A stage is about one thing - fewer atomics, no bank conflicts, fewer
 * barriers - and each of these can be counted exactly.  So a budget is a
 * counter for each block, warp or element, and the most (or least) it may be.
 * They are loose enough for kernels that are written differently, and tight
 * enough that the stage before does not pass.  budget_table.c has them, with
 * what the reference solution needs; a test keeps these figures fresh. */
#ifndef LAB_BUDGET_H
#define LAB_BUDGET_H

#include "base/error.h"
#include "watch/counters.h"

/* The launch that budgets are for. */
enum { BUDGET_N = 1 << 18, BUDGET_BLOCK = 256, BUDGET_COUNTERS = 3 };

enum budget_per {
    PER_BLOCK,
    PER_WARP,
    PER_1000_ELEMENTS,
    PER_SHARED_LOAD, /* for each load from shared memory that a warp does */
};
struct budget {
    const char *stage;                      /* "v3_sequential" */
    const char *what;                       /* "bank conflicts a block" */
    enum counter counters[BUDGET_COUNTERS]; /* added up; COUNTERS: no more */
    enum budget_per per;
    bool is_least; /* the limit is the least, not the most */
    double limit;
    double reference; /* the reference solution's */
    const char *idea; /* why this shows the stage's idea, a sentence */
};
extern const struct budget budgets[];
extern const int budget_count;

/* What was spent.  NaN if there was nothing to divide by: the budget is kept. */
double budget_measure(const struct budget *, const struct counters *,
                      uint64_t n);
bool budget_kept(const struct budget *, double measured);

/* What was measured, the budget, the line most to blame. */
void budget_tell(const struct budget *, const struct counters *,
                 double measured, char *to, size_t size);

#endif
