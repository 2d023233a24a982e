/* Where counters are gathered while a launch runs; for counters*.c.
 *
 * A block counts into a set of cells that it borrows while it runs: one cell
 * an instruction and step.  Sets are only ever added to, and added up at the
 * end, so it does not matter which block used which.  The set that was given
 * back last is lent first: it is still in the cache. */
#ifndef WATCH_COUNTERS_CELLS_H
#define WATCH_COUNTERS_CELLS_H

#include "sim/launch.h"
#include "watch/counters.h"
#include "watch/sass.h"

#include <pthread.h>

enum { MAX_BLOCK_WARPS = 32 };

/* One instruction in one step. */
struct insn_cell {
    /* Differences: what is true of this instruction is the sum up to here. */
    int64_t issues;  /* by warps */
    int64_t lanes;   /* of them */
    uint64_t off;    /* lanes that a guard switched off, or that did not jump */
    uint64_t parted; /* branches that some lanes took and some did not */
};

enum access_space { IN_SHARED, IN_GLOBAL, IN_LOCAL, ACCESS_SPACES };
/* The accesses of one instruction to one space in one step. */
struct access_cell {
    uint64_t requests, lanes;
    uint64_t wavefronts, least; /* shared */
    uint64_t sectors;           /* global, local */
    uint64_t same_word;         /* atomics: lanes of the word wanted most */
    uint32_t worst;             /* wavefronts for each that is needed */
};

struct step_cells {
    struct insn_cell *insns;      /* watch->cells of them */
    struct access_cell *accesses; /* watch->accesses of them */
};
struct cell_set {
    struct step_cells steps[STEPS];    /* NULL inside until first used */
    struct cell_set *next_free, *next; /* all */
};

/* A function that can run, and where its cells lie. */
struct counted_function {
    const struct ptx_function *function;
    const struct sass_insn *sass;
    int first;       /* cell of its first instruction */
    int32_t *access; /* by instruction: its first access cell, or -1 */
};

/* Which sectors of a buffer were read: a byte for a line of 128 bytes, a bit
 * of it for each sector of 32.  Small, since every read comes by here: the
 * bytes of 64 MiB stay in the cache of a core. */
enum { SECTOR = 32, LINE_SECTORS = 4, WHOLE_LINE = (1 << LINE_SECTORS) - 1 };
struct touched {
    uint64_t address, bytes;
    uint8_t *lines;
    uint64_t count; /* of lines */
};

struct counted_warp {
    struct step_cells *cells; /* of its step */
    uint32_t step;
    uint32_t stores; /* of its own since it last met others */
    uint32_t seen;   /* the block's stores when it last met the block */
};
struct counted_block {
    struct counting *counting;
    struct counted_block *next_free, *next;
    struct cell_set *set;
    const struct counted_function *function; /* the last one seen */
    struct touched *touched;                 /* the last one read from */
    uint32_t stores; /* to shared memory, by all its warps */
    uint32_t live;   /* threads */
    struct counted_warp warps[MAX_BLOCK_WARPS];
};

struct counting {
    struct watcher watcher; /* first */
    const struct launch_info *info;
    struct arena arena;
    struct counted_function *functions;
    int function_count;
    int cells, accesses;
    struct touched *touched;
    int touched_count;
    pthread_mutex_t lock; /* of the free list of sets */
    struct cell_set *free_sets, *all_sets;
    struct counted_block *free_blocks, *all_blocks;
    struct counters *result;
};

/* counters_sum.c: adds up all sets. */
struct counters *counting_sum(struct counting *);

#endif
