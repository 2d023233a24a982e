/* What the time model knows of a GPU: constants of the machine, never of a
 * kernel.  One row a GPU in gpu.def, where the source of each number stands.
 * Cycles are those of the SM's clock. */
#ifndef WATCH_GPU_H
#define WATCH_GPU_H

#include "base/error.h"

#include <stdint.h>

struct gpu {
    const char *name;  /* as in --gpu */
    const char *title; /* for people */
    bool is_measured;  /* the model was held against this very GPU */
    int arch;          /* compute capability times ten */

    /* what it has, and how much of it blocks may take */
    uint32_t sms, schedulers; /* schedulers: of an SM; each issues one warp
                                 instruction a cycle */
    double clock_ghz;
    uint32_t sm_threads, sm_blocks; /* resident on an SM */
    uint32_t sm_registers, sm_shared_bytes;
    uint32_t block_shared_reserved; /* bytes the system takes of each block */
    uint32_t l1_bytes;              /* L1 and shared memory together */

    /* cycles until what depends on an instruction may issue */
    double alu_latency, shared_latency, shuffle_latency;
    double l1_latency, l2_latency, dram_latency; /* loads, by where they hit */
    double far_cycles;     /* DRAM: more in the far half of the L2, less in the
                            near one */
    double store_latency;  /* until a store is acknowledged */
    double atomic_latency; /* of an answer */
    double fence_latency;
    double branch_latency; /* of a jump, until the warp issues again */

    double dram_loaded_cycles;   /* more latency when the DRAM is busy; times
                                  the square of its share of busy time */
    double dram_tail_cycles;     /* how much longer the slowest of 4096 accesses
                                  to DRAM takes */
    double constant_miss_cycles; /* the parameters, read for the first time */
    double code_miss_cycles;     /* code run for the first time ... */
    double code_line_cycles;     /* ... and each 128 bytes that follow it */

    /* what takes its turn */
    double int_cycles, fp32_cycles, fp64_cycles, xu_cycles; /* a scheduler's
                                  pipes, a warp instruction (xu: conversions,
                                  reciprocals, sines ...) */
    double shared_wavefront_cycles; /* an SM's shared memory, a wavefront */
    double shared_issue_cycles;     /* one warp, from access to access */
    double l1_line_cycles;          /* the L1, each line of an access */
    double l1_sector_cycles;        /* 32 bytes into an SM ... */
    double l2_line_cycles;          /* ... and a line at least */
    double store_sector_cycles, store_line_cycles; /* the same, out of it */
    double local_store_cycles;   /* 32 bytes of local memory out of it */
    double atomic_lane_cycles;   /* atomics out of an SM: a lane ... */
    double atomic_sector_cycles; /* ... and 32 bytes at least */
    double barrier_latency;      /* from the last arrival on ... */
    double barrier_warp_cycles;  /* ... and for each warp that arrives */
    double dram_gbps;            /* what the best kernels reach */
    double dram_peak_gbps;       /* data sheet */
    double dram_line_sectors; /* a line that is not read whole costs as much */
    uint64_t l2_bytes;
    uint32_t l2_slices;
    double l2_sector_ns;         /* a slice, 32 bytes */
    double atomic_ns;            /* the L2, one lane's atomic on one word */
    double atomic_int_ns;        /* the same for whole numbers; 0: no less */
    double atomic_sector_ns;     /* 32 bytes of different words; 0: no less */
    double shared_atomic_cycles; /* a float lane on one shared word */
    double block_launch_ns;      /* the whole GPU, a block */
    double warp_launch_cycles;   /* an SM, each warp of a block */
    double turnaround_cycles;    /* from a block's end to the next one */
    double atomic_overlap_ns;    /* adds that are still queued when the kernel
                                    begins to end, without delaying it */
    double start_sm_ns;          /* more for each SM that gets blocks */
    double start_ns, end_ns;     /* from the launch to the first block, and from
                                the last to the end, as Nsight Compute counts */
};
extern const struct gpu gpus[];
extern const int gpu_count;

/* The profile of that name; NULL means the first.  NULL and a message that
 * lists the names if there is none. */
const struct gpu *gpu_find(const char *name, struct error *);

/* Blocks of this shape that one SM holds at once, at least 1. */
uint32_t gpu_resident_blocks(const struct gpu *, uint32_t threads,
                             uint32_t registers, uint32_t shared_bytes);

/* What such blocks leave of an SM's memory for the L1. */
uint32_t gpu_l1_bytes(const struct gpu *, uint32_t resident,
                      uint32_t shared_bytes);

#endif
