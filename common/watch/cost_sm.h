/* The state of the SM that cost_sm.c simulates; private to it and to
 * cost_memory.c, which holds what all SMs share. */
#ifndef WATCH_COST_SM_H
#define WATCH_COST_SM_H

#include "watch/cost_model.h"

enum { MAX_HOT = 64, HOT_BYTES = 704, RED_QUEUE = 32, MAX_SCHEDULERS = 8 };

struct sm_block;
struct sm_warp {
    const struct cost_warp *trace;
    struct sm_block *block;
    uint32_t at; /* next step */
    uint32_t scheduler;
    uint32_t age; /* how many warps began before it */
    double since; /* it could issue from then on, but for ... */
    double ready; /* ... what it waits for until then */
    enum cost_wait wait;
    double shared_from; /* its next shared access */
    double drained;     /* its stores are acknowledged */
    double loaded;      /* its last load is done; and what it waits for */
    enum cost_wait loaded_why;
    double *registers; /* when each is ready */
    uint8_t *reasons;  /* enum cost_wait, if it is waited for */
};
struct sm_block {
    struct sm_warp *warps;
    uint32_t count, running, arrived;
    double drained;       /* its warps that are through */
    uint32_t waiting[32]; /* warps at the barrier */
};
/* Ready warps of one scheduler, a heap by time, then by age. */
struct sm_heap {
    struct sm_warp **warps;
    uint32_t count;
    double slot_free;
    double int_free, fp32_free, fp64_free, xu_free; /* its pipes */
};
/* A stretch of memory whose atomics one slice of the L2 does, in turn. */
struct hot_spot {
    uint64_t stretch;          /* address / HOT_BYTES */
    uint64_t word;             /* that all its atomics want; 0: several words */
    double adds[COST_SAMPLES]; /* warps' atomics of each sample */
    double others;             /* atomics of all SMs, for one of this SM */
    double free, busy;
};
struct sm {
    const struct cost *cost;
    const struct gpu *gpu;
    struct sm_load *load;
    struct sm_heap heaps[MAX_SCHEDULERS];
    struct sm_block *blocks;
    uint32_t started, ended, warps_started;
    double launch_free, launch_every;
    double shared_free, barrier_free;
    double l1_free, fill_free, store_free, atomic_free, dram_free;
    double dram_sector, l2_sector; /* cycles of the queue */
    double dram_used, dram_last;   /* share of busy time, lately; and when */
    double *lines;                 /* of code: when each is there; 0 not yet */
    double constants;              /* the same of the kernel's parameters */
    struct hot_spot hot[MAX_HOT];
    int hot_count;
    struct hot_spot *spread; /* the first of these with several words ... */
    int spread_count;        /* ... and how many they are */
    double reds[RED_QUEUE];  /* when the last ones were served */
    uint32_t red_count;
    uint64_t accesses;
};

/* The sample that the SM's block `i` is like.  In their order: the last block
 * simulated is the last one of the grid, which may have more to do than others;
 * if it has less, the busiest SM has not got it. */
uint64_t sample_of(const struct cost *, const struct sm_load *, uint32_t i);

/* A queue: when what comes at `now` is served, and from when on the next. */
static inline double queue(double *free, double now, double service)
{
    double start = now > *free ? now : *free;
    *free = start + service;
    return start;
}

static inline void wait_for(struct sm_warp *w, double until, enum cost_wait why)
{
    if (until > w->ready) {
        w->ready = until;
        w->wait = why;
    }
}

/* ---- cost_memory.c ---------------------------------------------------------*/
void memory_setup(struct sm *);
/* When the loaded value is there, or the store done. */
double global_access(struct sm *, struct sm_warp *, const struct cost_step *,
                     double now, enum cost_wait *);
double atomic_access(struct sm *, struct sm_warp *, const struct cost_step *,
                     double now);
/* Waits for the code of the warp's next step. */
void fetch_code(struct sm *, struct sm_warp *, uint32_t line);
/* When the kernel's parameters are there. */
double constants_there(struct sm *, const struct sm_warp *);

#endif
