/* The inside of the time model; private to cost*.c (cost.h is what others
 * use).
 *
 *   cost_record.c  events of a few sampled blocks --> each warp's steps
 *   cost_reuse.c   what comes from the L2
 *   cost_order.c   loads move up, as the compiler moves them
 *   cost_sm.c      the steps of the blocks of one SM --> when each one ends
 *   cost_memory.c  loads, stores and atomics, for it
 *   cost_grid.c    from that SM to the grid: time, shares
 *   cost.c         the watcher; cost_tell.c its words
 */
#ifndef WATCH_COST_MODEL_H
#define WATCH_COST_MODEL_H

#include "sim/launch.h"
#include "watch/cost.h"
#include "watch/cost_lower.h"

enum {
    MAX_SOURCES = 10,
    MAX_RESULTS = 8,
    /* Steps kept of all samples together; what is beyond is counted and
     * scales the time. */
    MAX_STEPS = 1 << 21,
};

/* An instruction of the program, as the SM sees it. */
struct cost_op {
    struct cost_lowered how;
    const struct ptx_insn *insn;
    uint32_t line; /* of code, where it lies */
    uint8_t source_count, result_count;
    uint16_t source[MAX_SOURCES], result[MAX_RESULTS]; /* register numbers */
};

/* What one warp did at one instruction. */
struct cost_step {
    uint32_t op;   /* in the list of ops */
    uint8_t pipe;  /* enum cost_pipe; that of the space found */
    bool is_off;   /* no lane did it */
    bool is_store; /* global and local */
    bool is_local;
    uint8_t lines;        /* of 128 bytes, global and local */
    uint8_t l2_sectors;   /* global: that the L1 does not have; atomics: all */
    uint8_t l2_lines;     /* of 128 bytes, that these lie in */
    uint8_t dram_sectors; /* that the L2 fetches for them, two by two; stores:
                             that it takes in anew */
    uint8_t dram_lines;   /* of 128 bytes, that these lie in, if scattered */
    uint8_t same_word;    /* atomics: lanes that want the same word */
    uint8_t lanes;        /* atomics: all lanes that take part */
    uint16_t wavefronts;  /* shared: turns */
    uint16_t issue;       /* machine instructions */
    uint64_t address;     /* global: the first sector; atomics: the word */
};

struct cost_warp {
    struct cost_step *steps;
    uint32_t count, capacity;
    uint64_t dropped;            /* steps beyond MAX_STEPS */
    struct cost_memory *pending; /* accesses since the last EVENT_RUN */
    int pending_count, pending_capacity;
};

/* An access or guard that waits for its instruction's EVENT_RUN. */
struct cost_memory {
    const struct ptx_insn *insn;
    struct cost_step step;
    bool is_guard, is_branch;
    bool is_late; /* of a cp.async, when its thread waits for it: belongs to
                     no instruction of the run; step.op is known */
};

struct cost_block {
    uint64_t index;
    bool has_run;
    struct cost_warp *warps;
    uint64_t *l1;          /* sectors seen lately, by their low bits */
    uint64_t l2[8192];     /* the same of scattered pairs of sectors */
    uint64_t places[4096]; /* scattered pairs of sectors, as hashes */
    uint32_t place_count;
    uint64_t place_low, place_high, places_met; /* all of them, not hashed */
    int places_shift; /* hashes with so many bits are kept */
    struct cost *cost;
};

struct cost {
    struct watcher watcher; /* first */
    const struct gpu *gpu;
    const struct launch_info *info;
    struct arena arena; /* ops */
    struct cost_op *ops;
    uint32_t op_count, line_count;
    uint32_t register_count;
    struct {
        const struct ptx_function *function;
        uint32_t first; /* its first op */
    } * functions;
    struct cost_block samples[COST_SAMPLES];
    int sample_count;
    double last_work; /* of the last block, in those of the sample before it */
    uint32_t l1_sectors;       /* of a block's share of the L1, a power of 2 */
    uint32_t warps, registers; /* of a block; registers a thread, a guess */
    uint32_t steps_left;       /* of one warp */
    struct cost_result result;
};

/* ---- cost_record.c ---------------------------------------------------------*/
void record_program(struct cost *); /* fills ops */
void record_event(struct cost_block *, const struct event *);

/* ---- cost_reuse.c ----------------------------------------------------------*/
/* A sample reads a pair of sectors that lies apart from the other lanes'. */
void note_place(struct cost_block *, uint64_t place);
void find_reuse(struct cost *); /* sets dram_sectors, once */

/* ---- cost_order.c ----------------------------------------------------------*/
void order_steps(const struct cost *, struct cost_warp *);

/* ---- cost_sm.c -------------------------------------------------------------*/
enum cost_wait { /* what a warp waits for; the parts of the time */
                 WAIT_ISSUE,
                 WAIT_ARITHMETIC,
                 WAIT_SHARED,
                 WAIT_SHUFFLE,
                 WAIT_BARRIER,
                 WAIT_LATENCY,   /* of the L1, L2 and DRAM */
                 WAIT_BANDWIDTH, /* queue before the DRAM and the L2 */
                 WAIT_ATOMIC,
                 WAIT_LAUNCH,
                 WAIT_KINDS
};
/* The blocks one SM gets, and what all SMs share. */
struct sm_load {
    uint32_t resident;       /* blocks at once */
    uint32_t blocks;         /* to simulate */
    double sms;              /* that work at the same time */
    double tail;             /* cycles until the slowest of them is done, too */
    double *ends;            /* out: when each block ended, cycles, rising */
    double end;              /* out: everything is done */
    double wait[WAIT_KINDS]; /* out: cycles of all warps */
    double atomic_busy, dram_busy; /* out: cycles of the servers */
    uint64_t issued; /* out: machine instructions, for who debugs */
};
void sm_run(const struct cost *, struct sm_load *);

/* The share of the grid's blocks that are like the sample.  A last block with
 * less than half of the work, or with more, stands for itself only. */
static inline double sample_share(const struct cost *c, int sample)
{
    double last = 1.0 / (double)c->info->blocks;
    if (c->last_work >= 0.5 && c->last_work <= 1.1)
        return 1.0 / c->sample_count;
    return sample == c->sample_count - 1 ? last
                                         : (1 - last) / (c->sample_count - 1);
}

/* ---- cost_grid.c -----------------------------------------------------------*/
void grid_time(struct cost *);

#endif
