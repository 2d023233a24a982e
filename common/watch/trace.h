/* The trace: what the warps of one block did, to be played back.
 *
 *   events --trace.c--> records, warp by warp --trace_order.c--> steps
 *
 * A record is one thing that a reader wants to see: a branch, an access, a
 * shuffle, a barrier.  Plain arithmetic makes no record; the next record of
 * the warp carries its instructions.  A step is what happens at once on the
 * screen: the simulator runs one warp after the other, a step takes the same
 * instruction of all warps that stand there, as a GPU might.  If the loads
 * would not read the same values then (warps race, or one waits for another),
 * the records stay in the order in which they were made, a step each.
 *
 * A warp that spins does the same over and over: rounds that are equal in all
 * that a record holds are one, with a count.
 *
 * Memory is bounded: a warp that has made its share of TRACE_RECORDS, or of
 * TRACE_BYTES as JSON, makes no more.  The totals go on. */
#ifndef WATCH_TRACE_H
#define WATCH_TRACE_H

#include "sim/launch.h"

enum {
    TRACE_RECORDS = 8192, /* of a block */
    TRACE_BYTES = 100000, /* of a warp, about: 256 threads stay under 1 MB */
    TRACE_QUEUE = 256,    /* blocks whose atomics are noted one by one */
};

struct trace_record {
    enum event_kind kind; /* BRANCH and LOAD ... STUCK of event.h */
    const struct ptx_function *function;
    const struct ptx_insn *insn;
    uint32_t warp;
    uint32_t active; /* lanes that do it; BRANCH: that met it */
    uint32_t taken;  /* BRANCH: of them, those that jump */
    uint32_t times;  /* it did just this, one round after the other */
    /* Of the warp since its record before, in PTX, of all rounds. */
    uint64_t instructions, thread_instructions;
    enum ptx_space space;
    uint32_t size;     /* bytes a lane */
    uint32_t cost;     /* wavefronts in shared memory, else sectors */
    uint32_t least;    /* wavefronts that such an access needs at best */
    uint32_t in_queue; /* ATOMIC: lanes that want the word wanted most */
    uint64_t *address; /* 32, as in event.h; NULL: no access */
    /* 32 of `size` bytes; what was loaded, stored, brought or received (a
     * shuffle: 4 bytes).  NULL: not known. */
    uint8_t *value;
    uint8_t *after;  /* ATOMIC in shared memory: the word afterwards */
    uint8_t *source; /* SHUFFLE: 32 lanes */
    int opening;     /* BARRIER_DONE: which one, from 0; else -1 */
    const char *text;
    struct trace_payload *payload; /* where the arrays lie; trace.c's */
};

/* What the whole block did, also behind the last record. */
struct trace_totals {
    uint64_t instructions, thread_instructions;
    uint64_t barriers, warp_syncs, shuffles, votes;        /* once a warp */
    uint64_t wave_ld, wave_st, wave_atom, conflicts;       /* shared memory */
    uint64_t request_ld, sector_ld, request_st, sector_st; /* global */
    uint64_t atomic_lanes;                                 /* global */
};

/* The atomics of one block on global memory. */
struct trace_queue {
    uint64_t block, lanes;
};

/* A variable in shared memory, by its name in the source. */
struct trace_variable {
    const char *name;
    uint32_t at, bytes;
};
/* A buffer of global memory, as it was during the launch. */
struct trace_buffer {
    const char *name;
    uint64_t address, bytes;
    uint32_t element;
};

struct trace {
    uint64_t block, blocks;
    uint32_t threads, warps, shared_bytes;
    bool was_run;    /* false: the launch never came to that block */
    bool is_cut;     /* there was more than fits */
    bool is_in_step; /* warps together; else in the order of the simulator */
    struct trace_record *records;
    int record_count;
    int *order; /* of records, by step */
    int *steps; /* the first place in `order`; one more than there are steps */
    int step_count;
    struct trace_totals totals;
    struct trace_queue *queue; /* in the order in which blocks come */
    int queue_count;
    struct trace_variable *variables;
    int variable_count;
    struct trace_buffer *buffers; /* by rising address */
    int buffer_count;
};

/* Records that block of one launch. */
struct watcher *trace_watcher(uint64_t block);
/* Valid after the launch, until trace_watcher_free. */
const struct trace *trace_watcher_result(const struct watcher *);
void trace_watcher_free(struct watcher *); /* NULL is fine */

/* trace_order.c: fills in order and steps. */
struct arena;
void trace_make_steps(struct trace *, struct arena *);

/* Bytes of a record in JSON, about: a number takes eleven. */
uint32_t trace_record_bytes(const struct trace_record *);

#endif
