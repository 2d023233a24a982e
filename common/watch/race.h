/* Races: two accesses to one place by different threads, at least one of
 * them a write, that nothing orders.  Found by clocks, never by the value
 * that came out.
 *
 * The rule is "happened before" of the PTX ISA (8.9, causality order), by
 * thread, with a clock for each block:
 *
 * - Threads meet at block barriers (all, named, with a count; who arrives
 *   without waiting gives and does not take) and at bar.warp.sync with their
 *   mask.  Who meets knows all that the others knew.  Shuffles and votes
 *   order nothing, nor does it that lanes move together.
 * - A message: fence, then a store to a flag or an atomic by one thread; a
 *   load of the flag or an atomic with an answer, then a fence by another.  Or
 *   a release and an acquire instead of fence and access.  A fence is of the
 *   lanes that make it; what it covers is what they knew then.  Fences and
 *   flags of the block's scope count inside the block only.
 * - What is read at a flag before the fence comes may be relied on by accesses
 *   that pass the L1 (volatile, .cg and stronger), and by stores.
 * - Atomics never race with atomics whose scopes hold both threads, nor two
 *   stores of one value, nor an atomic with a load whose value an atomicCAS()
 *   at the same place then compares.
 * - A load through the read-only cache (ld.global.nc, __ldg) is ordered after
 *   no write of its launch.
 * - Memory is told apart by byte.
 *
 * Messages between blocks are posts in global memory: see race_posts.h.
 *
 *   race.c          the watcher
 *   race_facts.c    what an instruction means for others
 *   race_clock.c    what threads of a block know of each other; race_view.c
 *   race_past.c     what a word remembers
 *   race_cells.c    shared memory
 *   race_grid.c     global memory: the same across blocks
 *   race_lessons.c  what a block has learnt from others; race_posts.c
 *   race_tell.c     the words of a finding */
#ifndef WATCH_RACE_H
#define WATCH_RACE_H

#include "sim/launch.h"
#include "watch/finding.h"
#include "watch/race_past.h"

/* An instruction that reaches memory, by race_insn_id(). */
struct race_fact {
    const struct ptx_function *function;
    const struct ptx_insn *insn;
    uint8_t traits;
    bool has_value; /* its events tell what is stored */
    bool is_store;
    bool releases, acquires;
    bool is_nc;     /* ld.global.nc: may see what was before the launch */
    bool passes_l1; /* does not look at an L1 that may be out of date */
};

/* Shared memory: what each word remembers, as a rule one access a slot.  In
 * arrays, for a warp works on 32 words in a row as a rule. */
enum slot { SLOT_WRITE, SLOT_READ, SLOT_SECOND_READ, SLOT_ATOMIC, SLOTS };
struct cells {
    uint32_t count; /* words */
    /* time 0: nothing; CELL_HAS_SETS: it is in sets[who[SLOT_WRITE]]. */
    uint32_t *time[SLOTS], *who[SLOTS];
    uint32_t *value; /* of SLOT_WRITE */
    uint32_t *arrays;
    struct cell_sets *sets;
    uint32_t set_count, set_capacity, free_set;
    bool has_second_reads, has_atomics; /* any so far in this block */
};

struct race_block {
    struct race *race;
    struct race_block *next_free, *next; /* free ones, all */
    uint64_t block;
    bool in_turn;
    struct clocks clocks;
    struct cells cells;
    struct finding_list findings;
    struct told *told; /* which findings are which pairs */
    int told_count, told_capacity;
    struct grid_log *log; /* race_grid.c */
};

struct race {
    struct watcher watcher; /* first */
    const struct launch_info *info;
    struct finding_list *findings;
    struct race_block *free_blocks;
    struct race_block *all_blocks;
    struct grid *grid;
    struct race_fact *facts; /* by race_insn_id() */
    bool has_block_atomics;  /* any of the block's scope */
    uint32_t **numbers;      /* by function and instruction: the id */
};

/* The watcher; findings are joined to `list`, which must outlive it. */
struct watcher *race_watcher(struct finding_list *list);
void race_watcher_free(struct watcher *);

/* ---- instructions (race_facts.c) ----------------------------------------------*/
/* An access is meant to pass messages (TRAIT_FLAG) if it is an atomic, relaxed
 * or stronger, or volatile with a whole number; a volatile load only if its
 * value is compared and not computed with: a flag is looked at, data is
 * added. */
void race_find_facts(struct race *);
void race_free_facts(struct race *);
uint32_t race_insn_id(const struct race *, const struct ptx_function *,
                      const struct ptx_insn *);
/* A store at a flag passes a message if something was fenced before it. */
enum role race_role(const struct race_fact *, enum event_kind, bool is_fenced);

/* ---- shared memory (race_cells.c) -------------------------------------------*/
void cells_alloc(struct cells *, uint32_t bytes);
void cells_free(struct cells *);
void cells_begin(struct cells *); /* a new block: what is there is settled */
void cells_clear(struct cells *); /* its clock starts again */
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
    int weight;
    int finding; /* index in findings.items */
};
struct race_report {
    uint32_t insn, other; /* ids: now, and before */
    enum ptx_space space;
    uint64_t address; /* shared: offset; global: address */
    uint32_t thread, other_thread;
    uint64_t block, other_block;
    enum past_kind other_kind;
    bool is_write, is_atomic;
    bool same_insn;   /* two lanes of one instruction */
    bool lacks_fence; /* an atomic would order them, with a fence */
};
void race_tell(struct race_block *, const struct race_report *);

#endif
