/* Races: two accesses to one place by different threads, at least one of
 * them a write, that nothing orders.  Found by clocks, never by the value
 * that came out.
 *
 * Inside a block every memory event has a time.  Warp w knows of warp x all
 * that happened up to seen[w][x]; block barriers raise it.  seen[w][w] is the
 * last time the whole warp met (bar.warp.sync with all lanes); meetings of a
 * part of a warp are kept lane by lane.  An earlier access is ordered before
 * a later one if it was by the same thread or is within what the later
 * thread's warp (or lane) knows.  Shuffles and votes order nothing.
 *
 * Between blocks only atomics and accesses marked volatile (of whole numbers)
 * or stronger carry order, and only together with fences: see race_grid.c.
 *
 *   race.c        the watcher; clocks of a block
 *   race_cells.c  shared memory: what each word saw last
 *   race_grid.c   global memory: the same across blocks
 *   race_tell.c   the words of a finding */
#ifndef WATCH_RACE_H
#define WATCH_RACE_H

#include "sim/launch.h"
#include "watch/finding.h"

enum { MAX_WARPS = 32, RACE_INSN_BITS = 20 };

/* What a word remembers.  Two readers, so that whoever writes next finds one
 * that is not himself; the second is of another warp if there is one. */
enum slot_kind {
    SLOT_WRITE,
    SLOT_READ,
    SLOT_OTHER_READ,
    SLOT_ATOMIC,
    SLOT_OTHER_ATOMIC,
    SLOTS
};

/* Lane-by-lane knowledge inside a warp: lane l knows of lane m up to
 * seen[l][m]. */
struct lane_clocks {
    uint32_t seen[WARP_LANES][WARP_LANES];
};

struct warp_clock {
    uint32_t seen[MAX_WARPS];    /* of each warp of the block */
    uint32_t low;                /* the least of them: known of every warp */
    struct lane_clocks *lanes;   /* NULL: the warp always met as a whole */
    uint32_t pending[MAX_WARPS]; /* learnt from a flag, not yet fenced */
    bool has_pending;
    uint32_t fence_time; /* of its last fence; 0 none */
    uint32_t fence_seen[MAX_WARPS];
};

struct barrier_clock {
    uint32_t joined[MAX_WARPS];
    uint32_t waiting; /* warps that came whole and stand there */
    bool open;        /* arrivals are being gathered */
};

/* Where a flag in shared memory was last released, by word. */
struct flag {
    uint32_t cell;
    uint32_t seen[MAX_WARPS];
    struct flag *next;
};

struct race_block {
    struct race *race;
    struct race_block *next_free, *next; /* free ones, all */
    uint64_t block;
    uint32_t now;
    bool in_turn;
    uint32_t gone[MAX_WARPS]; /* lanes that exited */
    struct warp_clock warps[MAX_WARPS];
    struct barrier_clock barriers[16];
    struct flag *flags;
    /* Shared memory, `race->cells` entries each.  Time 0: no such access;
     * insn: race_insn_id(). */
    uint32_t *time[SLOTS], *thread[SLOTS], *insn[SLOTS];
    uint32_t *value;  /* of SLOT_WRITE */
    uint32_t *arrays; /* all of them in one piece */
    struct finding_list findings;
    bool has_atomics;  /* any atomic on shared memory so far */
    struct told *told; /* which findings are which pairs */
    int told_count, told_capacity;
    struct grid_log *log; /* race_grid.c */
};

struct race {
    struct watcher watcher; /* first */
    const struct launch_info *info;
    struct finding_list *findings;
    uint32_t cell_bytes; /* 4, or 1 if the kernel moves bytes */
    uint32_t cells;      /* of shared memory */
    struct race_block *free_blocks;
    struct race_block *all_blocks;
    struct grid *grid;
    bool **polls; /* by function and instruction: a volatile load
                                  whose value is only compared */
};

/* The watcher; findings are joined to `list`, which must outlive it. */
struct watcher *race_watcher(struct finding_list *list);
void race_watcher_free(struct watcher *);

/* ---- clocks (race.c) ------------------------------------------------------*/

/* Is an access at `time` by `thread` of this block ordered before what
 * `by` does now?  `strong`: now is a volatile or ordered access, which cannot
 * run ahead of the flag that was read before it. */
bool race_ordered(const struct race_block *, uint32_t time, uint32_t thread,
                  uint32_t by, bool strong);
/* Lanes `active` of a warp publish at `cell` what the warp knew at its last
 * fence (or now, for a release), or learn what was published there. */
void race_publish(struct race_block *, uint32_t cell, const struct event *);
void race_learn(struct race_block *, uint32_t cell, const struct event *);
/* Is the event a store that passes a message: flag-like, after a fence or a
 * release itself? */
bool race_is_release(const struct race_block *, const struct event *);
/* A small number for an instruction, and back. */
uint32_t race_insn_id(struct race *, const struct ptx_function *,
                      const struct ptx_insn *);
const struct ptx_insn *race_insn(const struct race *, uint32_t id,
                                 const struct ptx_function **);
/* Is this access meant to pass messages?  An atomic, a relaxed or stronger
 * access, or a volatile one of a whole number; a volatile load only if its
 * value is compared and not computed with: a flag is looked at, data is added.
 * The id is race_insn_id()'s. */
bool race_is_flag(const struct race *, uint32_t id);
/* Volatile or ordered: such a load and an atomic need no order. */
bool race_is_strong(const struct race *, uint32_t id);

/* ---- shared memory (race_cells.c) -------------------------------------------*/
void cells_alloc(struct race_block *);
void cells_free(struct race_block *);
void cells_access(struct race_block *, const struct event *);

/* ---- global memory (race_grid.c) --------------------------------------------*/
struct grid *grid_new(struct race *);
void grid_free(struct grid *);
void grid_begin_block(struct race_block *);
void grid_access(struct race_block *, const struct event *);
void grid_fence(struct race_block *, const struct event *);
void grid_turn(struct race_block *);
void grid_end_block(struct race_block *);
void grid_free_block(struct race_block *);

/* ---- words (race_tell.c) ------------------------------------------------------*/
struct told {
    uint32_t insn, other;
    int finding; /* index in findings.items */
};
struct race_report {
    uint32_t insn, other; /* ids: now, and before */
    enum ptx_space space;
    uint64_t address; /* shared: offset; global: address */
    uint32_t thread, other_thread;
    uint64_t block, other_block;
    enum slot_kind other_slot;
    bool is_write, is_atomic;
    bool same_insn;   /* two lanes of one instruction */
    bool lacks_fence; /* an atomic would order them, with a fence */
};
void race_tell(struct race_block *, const struct race_report *);

#endif
