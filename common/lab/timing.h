/* How long does a kernel take on a device that has a clock?
 *
 * All kernels take turns in one process, so that what disturbs one disturbs
 * the others.  Inputs rotate through more than twice the L2: every run reads
 * memory, not the cache.  Before each run one element of its input gets a new
 * value, and the sum of every timed run is checked. */
#ifndef LAB_TIMING_H
#define LAB_TIMING_H

#include "lab/kernel.h"

struct timing_spec {
    uint64_t n;
    uint32_t block; /* 0: each kernel's default */
    uint64_t grid;  /* 0: stage_grid() */
    int runs;       /* of each kernel; 0: 31, fewer if they take long */
    uint64_t seed;
    const volatile int *cancel;
};

/* One kernel's.  Times in milliseconds. */
struct timing {
    int runs;
    double ms;         /* median of runs that stand alone */
    double low, high;  /* 10 % and 90 % of them */
    double back_ms;    /* a run among others, back to back */
    double gb_s;       /* n floats in `ms` */
    int wrong;         /* runs whose sum was wrong */
    float wrong_value; /* the first of those, and what it should be */
    double right_value;
    bool is_impossible; /* faster than the memory can deliver: it did not read
                           all of its input */
};

/* False with a message if it could not be measured.  `*empty_ms` is what the
 * clock shows for a kernel that does nothing. */
bool timing_run(struct device *, const struct kernel *const *kernels, int count,
                const struct timing_spec *, struct timing *timings,
                double *empty_ms, struct error *);

/* A kernel against the reference solution of its stage. */
struct timing_duel {
    struct timing ours, reference; /* of the last round */
    double ratio;                  /* ours / reference: median of the rounds */
    double low, high;              /* the smallest and the largest */
    int rounds;
    bool is_too_slow; /* ratio > limit */
};

/* Measures the two in turns, in rounds, until three rounds in a row say the
 * same of `limit` and none ever said other, or DUEL_ROUNDS are over: then the
 * median of the rounds decides.  So a kernel far from the limit costs three
 * rounds, and noise near the limit does not change the verdict from run to
 * run.  Ends early when a sum of ours is wrong.  False: as timing_run. */
enum { DUEL_ROUNDS = 15, DUEL_AT_LEAST = 3, DUEL_RUNS = 9 };
bool timing_duel(struct device *, const struct kernel *ours,
                 const struct kernel *reference, double limit,
                 const struct timing_spec *, struct timing_duel *,
                 struct error *);

#endif
