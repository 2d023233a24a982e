/* Random kernels in which threads pass on what they know, by barriers and by
 * messages, inside a block and between blocks.
 *
 * Every thread of every block goes through the steps in one order; a step is
 * done by some of them.  A message is sent and received at one step: one
 * thread stores at a flag of its own, another one spins on it.  So knowledge
 * goes forward only, and what is known by whom follows from the steps. */
#ifndef SUPPORT_RANDOM_CHAIN_H
#define SUPPORT_RANDOM_CHAIN_H

#include "tests/support/random_program.h"

enum { CHAIN_BLOCKS = 3, CHAIN_STEPS = PROGRAM_OPS };

enum chain_kind {
    CHAIN_LOAD,
    CHAIN_STORE,
    CHAIN_ADD, /* red */
    CHAIN_FENCE,
    CHAIN_BARRIER, /* bar.sync 0 */
    CHAIN_WARPS,   /* bar.sync ID, COUNT by some warps */
    CHAIN_LANES,   /* bar.warp.sync by some lanes of each warp */
    CHAIN_MESSAGE,
};
enum chain_scope { SCOPE_OF_BLOCK, SCOPE_OF_GPU, SCOPE_OF_SYSTEM };
enum chain_strength { IS_WEAK, IS_VOLATILE, IS_RELAXED, IS_ORDERED, IS_ATOMIC };

struct chain_party {
    uint32_t block, thread;
};
struct chain_step {
    enum chain_kind kind;
    enum chain_scope scope;
    /* Accesses and fences: by whom.  Bits of blocks, and threads with
     * tid & mask == k. */
    uint32_t blocks, mask, k;
    bool is_branch;
    /* Accesses */
    bool is_shared;
    uint32_t size;                /* 1, 2, 4 bytes */
    uint32_t turn;                /* place (tid ^ turn) & ring */
    enum chain_strength strength; /* of a load */
    /* Barriers */
    uint32_t warps, lanes;
    int id;
    /* Messages; strength of the store and of the load */
    struct chain_party from, to;
    enum chain_strength send, receive;
    enum chain_scope receive_scope;
    bool is_ordered; /* IS_ATOMIC with release and acquire */
};
struct chain_program {
    uint32_t threads, grid;
    uint32_t ring; /* places in an array - 1 */
    int count;
    struct chain_step steps[CHAIN_STEPS];
};

/* As it comes; about half of them race. */
void chain_make(struct chain_program *, struct random *);
void chain_without(struct chain_program *, int step);
void chain_emit(const struct chain_program *, struct text *);
void chain_judge(const struct chain_program *, struct oracle *);

#endif
