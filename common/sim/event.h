/* What a running kernel tells those who watch it.  Read this after
 * ptx/program.h.
 *
 * The simulator describes a warp, not a thread: one event says which of the
 * 32 lanes act and what each one addresses.  Every kind is built in one place
 * and sent before memory changes, so a watcher sees the old value in memory
 * and the new one in the event.  The simulator never knows who watches, and
 * an event nobody wants is never built.
 *
 * Threads of the host: blocks run on several host threads.  `event` is called
 * for one block by one thread at a time and may touch only that block's
 * state.  `block_end` is called serially, in the launch's block order, which
 * does not depend on how many host threads there are: merge there. */
#ifndef SIM_EVENT_H
#define SIM_EVENT_H

#include "ptx/program.h"

enum { WARP_LANES = 32 };

enum event_kind {
    EVENT_RUN,       /* `count` instructions in a row, from `insn` on, were
                       issued with the mask `active` (guards not applied) */
    EVENT_GUARD,     /* a guarded instruction other than a branch: the lanes
                       `active` of `issued` do it */
    EVENT_BRANCH,    /* a conditional or indexed branch: of the lanes `issued`
                       the lanes `active` jump (sent for bra with a guard) */
    EVENT_LOAD,      /* ld, and the load of cp.async */
    EVENT_ROWS,      /* `count` accesses to `rows`, in place of as many
                       EVENT_LOAD and EVENT_STORE for who adds up: adds_runs */
    EVENT_STORE,     /* st */
    EVENT_ATOMIC,    /* atom and red */
    EVENT_SHUFFLE,   /* shfl: `source[lane]` is the lane read (own lane if out
                       of range); `named` the membermask of lane 0.. */
    EVENT_VOTE,      /* vote, match, redux, activemask, elect */
    EVENT_WARP_SYNC, /* bar.warp.sync completed for the lanes `named` */
    EVENT_BARRIER,   /* lanes `active` arrive at block barrier `barrier` */
    EVENT_BARRIER_DONE, /* barrier `barrier` opened: all its threads had come;
                       sent once per warp that waited in it */
    EVENT_FENCE,        /* membar, fence */
    EVENT_EXIT,         /* lanes `active` are done */
    EVENT_FAULT,        /* memory refused the lanes `active`: see `fault` */
    EVENT_BAD_SYNC, /* a warp-wide operation was used wrongly: see `misuse` */
    EVENT_TRAP,     /* trap, failed assert (`text`) */
    EVENT_STUCK,    /* the lanes `active` can never go on: see `stuck` */
    EVENT_KINDS
};
#define WANTS(kind) (1u << (kind))

enum fault_kind {
    FAULT_NONE,
    FAULT_BOUNDS,     /* outside every allocation, or in a guard zone */
    FAULT_MISALIGNED, /* address not a multiple of the access size */
    FAULT_READ_ONLY,  /* a store to constant memory or to the input */
};
enum misuse_kind {
    MISUSE_NONE,
    MISUSE_CALLER_NOT_NAMED, /* lanes `active` are not in their own mask */
    MISUSE_LANE_ABSENT,      /* lanes of `named` will not come */
    MISUSE_SOURCE_ABSENT,    /* shfl reads a lane that takes no part */
    MISUSE_MASKS_DIFFER,     /* lanes at one instruction name other masks */
    MISUSE_NOT_CONVERGED,    /* .aligned barrier met by part of a warp */
    MISUSE_TWO_BARRIERS,     /* threads wait at different barriers */
};
enum stuck_kind {
    STUCK_NONE,
    STUCK_BARRIER, /* waits at a block barrier others never reach */
    STUCK_WARP,    /* waits for lanes of its warp that never come */
    STUCK_SPIN,    /* repeats the same state, nobody can change it */
    STUCK_BUDGET,  /* still running when the budget was spent */
};

/* A load from global memory, or a load from or a store to shared memory, of
 * consecutive cells: the active lane i at address + (i - first) * size.  In
 * global memory without a hole between active lanes. */
struct row_access {
    const struct ptx_insn *insn;
    uint64_t address; /* of the first active lane */
    uint32_t active;
    uint8_t size; /* bytes a lane */
    bool is_write, is_shared;
};

/* Who and where.  Valid only during the call. */
struct event {
    enum event_kind kind;
    const struct ptx_function *function;
    const struct ptx_insn *insn;
    uint64_t block;  /* linear index of the block in the grid */
    uint32_t warp;   /* in the block; thread = warp * 32 + lane */
    uint32_t active; /* lanes that do it */
    uint32_t issued; /* EVENT_GUARD, EVENT_BRANCH: lanes that met it;
                              EVENT_BAD_SYNC of a warp: the whole mask */
    uint32_t named;  /* membermask of warp-wide operations */
    uint32_t count;  /* EVENT_RUN: instructions; EVENT_ROWS: rows */
    const struct row_access *rows;
    bool ends_in_branch; /* EVENT_RUN: the last of them is a branch with a
                              guard, and the lanes `taken` jump: who counts
                              needs no EVENT_BRANCH */
    uint32_t taken;
    uint32_t times; /* EVENT_RUN: so often behind each other; see adds_runs */

    /* memory: addresses of the active lanes, the others hold rubbish.
     * SPACE_SHARED: offset in the block's shared memory; SPACE_LOCAL: offset
     * in the thread's local memory; else a global address.  Generic accesses
     * arrive with the space they turned out to have. */
    enum ptx_space space;
    const uint64_t *address;
    uint32_t size; /* bytes a lane, vector accesses whole */
    bool is_write, is_atomic;
    bool is_row;           /* surely consecutive: lane i at address[first] +
                              (i - first) * size for the active lanes */
    const uint64_t *value; /* EVENT_STORE: what each lane will write, its bytes
                              0 to 7; NULL for loads and more than 16 bytes */
    const uint64_t *value_high; /* bytes 8 to 15; NULL if there are none */
    /* EVENT_SHUFFLE: what lane i gets, a uint32_t each.  EVENT_ATOMIC: what lane
     * i brings, a uint32_t each, or a uint64_t where `size` is 8. */
    const void *operand;
    const uint8_t *shared; /* the block's shared memory, as it is now */
    enum fault_kind fault;

    int barrier;           /* 0..15 */
    const uint8_t *source; /* EVENT_SHUFFLE */
    enum misuse_kind misuse;
    enum stuck_kind stuck;
    const char *text;
};

struct launch_info; /* sim/launch.h */

/* What block_begin may give back: the watcher wants nothing of this block, and
 * hears no more of it.  A block that nobody watches costs what it would cost
 * without watchers. */
#define BLOCK_UNWATCHED ((void *)(uintptr_t)1)

struct watcher {
    const char *name;
    uint32_t wants; /* WANTS(...) | ... */
    /* It only adds up runs and accesses, whatever their order: trips of a
     * loop may come as one EVENT_RUN with `times`, and accesses as EVENT_ROWS
     * (which it must want, as well as EVENT_RUN), both before the next event
     * of their warp that is neither a run nor an access.  Others get each by
     * itself. */
    bool adds_runs;
    void *state; /* the watcher's own */
    /* Any of the functions may be NULL. */
    void (*begin)(struct watcher *, const struct launch_info *);
    /* Gives the state for one block, or BLOCK_UNWATCHED; called on a host
     * thread, under a lock. */
    void *(*block_begin)(struct watcher *, uint64_t block);
    void (*event)(struct watcher *, void *block_state, const struct event *);
    /* The block's turn begins (launch.h): what it kept back is visible now,
     * and from here on its events come in the launch's serial order. */
    void (*block_turn)(struct watcher *, void *block_state);
    void (*block_end)(struct watcher *, void *block_state, uint64_t block);
    void (*end)(struct watcher *);
};

#endif
