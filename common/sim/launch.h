/* A launch: a whole grid of blocks, run to its end.
 *
 * Blocks are taken in batches of a fixed size.  The blocks of a batch run on
 * all host threads at once and see global memory as it was when the batch
 * began; what they store and add to it without asking for an answer (st, red)
 * is kept back.  A block that needs an answer from the others - an atomic
 * whose old value is used, a volatile or ordered access, a load of what it
 * wrote itself - waits for its turn.  Then, one block after the other in the
 * launch's order, what was kept back is applied and waiting blocks go on
 * alone.  So results, findings and the order of float additions depend on the
 * seed and the order only, never on the number of host threads; and a store
 * becomes visible as late as the memory model allows.
 *
 * A block that spins lets the others go on; blocks up to what the GPU holds
 * at once (`resident`) are started for it.  When nobody can go on, or the
 * budget is spent, the launch stops and says where each one waits. */
#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

#include "sim/event.h"
#include "sim/memory.h"

enum block_order { ORDER_ASCENDING, ORDER_DESCENDING, ORDER_RANDOM };

/* A program put into memory: its __device__ and __constant__ variables are
 * buffers and keep their values from launch to launch. */
struct module;
struct module *module_load(const struct ptx_program *, struct memory *,
                           struct error *); /* NULL: cannot be run, why */
void module_free(struct module *);          /* before its memory is cleared */
/* False and a message if the kernel needs what the simulator does not have. */
bool module_can_run(struct module *, const struct ptx_function *,
                    struct error *);
/* Bytes of static shared memory of a kernel, before the dynamic part. */
uint32_t module_static_shared(const struct module *,
                              const struct ptx_function *);

/* Words that nobody wrote, by where they lie.  They hold NaNs, unless a launch
 * asks for other garbage: if its results are the same then, nothing depends
 * on such words. */
enum garbage {
    GARBAGE_NONE,
    GARBAGE_SHARED, /* shared memory */
    GARBAGE_LOCAL,  /* a thread's own arrays */
    GARBAGE_REGISTERS,
    GARBAGE_LANES, /* what a shuffle gets from lanes that take no part */
    GARBAGE_KINDS
};

struct launch {
    struct module *module;
    const struct ptx_function *kernel;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared; /* bytes */
    const void *params;      /* laid out as the kernel's .param list */
    size_t params_bytes;

    enum block_order order;
    uint64_t seed;     /* order of blocks, warps, lanes of atomics */
    uint64_t budget;   /* warp instructions before giving up; 0 = none */
    int threads;       /* host threads; 0 = all cores */
    uint32_t resident; /* blocks the GPU holds at once; 0 = a default */
    uint32_t garbage[GARBAGE_KINDS]; /* 0: the default, a NaN */

    /* Not NULL: only these blocks of the grid run, in this order.  For
     * watchers that look at a few of many. */
    const uint64_t *only;
    uint64_t only_count;

    struct watcher **watchers;
    int watcher_count;
    /* Called now and then from the launching thread, 0..1; may be NULL. */
    void (*progress)(void *, double share);
    void *progress_data;
    const volatile int *cancel; /* becomes nonzero on Ctrl-C; may be NULL */
};

/* A variable in shared memory; `bytes` of the dynamic array is what the launch
 * gives it. */
struct shared_variable {
    const struct ptx_variable *variable;
    uint32_t at, bytes;
    uint32_t element; /* bytes of one, for array[index] messages */
};
/* What a watcher may know at its begin. */
struct launch_info {
    const struct launch *launch;
    const struct memory *memory;
    uint64_t blocks;
    uint32_t threads_per_block, warps_per_block;
    uint32_t resident; /* blocks that the GPU holds at once */
    uint32_t static_shared, shared_bytes; /* shared_bytes: static, and dynamic
                                             if the kernel has such an array */
    const struct shared_variable *shared;
    int shared_count;
    /* Every function that can run, the kernel first. */
    const struct ptx_function *const *functions;
    int function_count;
};

enum launch_stop {
    STOP_DONE,     /* every thread ended */
    STOP_TRAP,     /* trap or failed assert */
    STOP_FAULT,    /* memory refused an access; the kernel went on without
                         it (loads gave poison), as the report must say,
                         unless a block runs wild (MOST_REFUSED) */
    STOP_DEADLOCK, /* nobody could go on */
    STOP_BUDGET,   /* still running after `budget` warp instructions */
    STOP_CANCELLED,
};
struct launch_result {
    enum launch_stop stop;
    char message[512]; /* what stopped it or the first fault, with file:line;
                            empty if STOP_DONE */
    const struct ptx_insn *insn; /* where, or NULL */
    uint64_t warp_instructions;
    uint64_t thread_instructions;
    int threads; /* host threads used */
    double wall_s;
    char *output; /* what the kernel printed, in block order, 1 MiB at
                            most; NULL if nothing; owned */
};

/* False with a message for launches that CUDA refuses (no threads, more than
 * 1024, too much shared memory, grid beyond the limits) or that we cannot
 * run; true when the launch ran, however it ended. */
bool launch_run(const struct launch *, struct launch_result *, struct error *);
/* The memory that the launch works in. */
const struct memory *launch_memory(const struct launch *);
void launch_result_free(struct launch_result *);

#endif
