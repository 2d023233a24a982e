/* A batch of blocks on all host threads; between launch.c and batch.c. */
#ifndef SIM_BATCH_H
#define SIM_BATCH_H

#include "sim/machine.h"

#include <pthread.h>

struct grid_run {
    struct machine machine;
    uint64_t started, done; /* blocks */
    uint64_t batch_size;
    uint64_t apart_limit;
    uint32_t resident;
    struct block *active; /* started, not ended, in order */
    bool give_up, over_budget;
    struct stop stop;
    uint64_t instructions, thread_instructions; /* of ended blocks */
    char *output;
    size_t output_length, output_capacity;

    /* host threads */
    int threads;
    pthread_t *workers; /* threads - 1 of them */
    pthread_mutex_t lock;
    pthread_cond_t go, over;
    uint64_t generation; /* batches begun */
    int busy;            /* workers that have not finished the batch */
    bool quit;
    struct block **batch;
    uint64_t batch_count;
    uint64_t next;      /* next place in the batch to be taken */
    struct block *pool; /* blocks and bodies to be used again */
    struct body *bodies;
};

/* Host threads and the size of a batch. */
void batch_setup(struct grid_run *);
void batch_teardown(struct grid_run *);
/* Starts the next blocks and runs each as far as it can go apart; they are
 * then at the end of g->active. */
void batch_run(struct grid_run *);
/* Gives a block context back. */
void grid_put(struct grid_run *, struct block *);

#endif
