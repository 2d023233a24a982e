/* Small random kernels whose races are known, because their makers know what
 * orders what.
 *
 *     program  --emit-->   PTX text  --simulator, race watcher-->  findings
 *        |                                                            |
 *        +------oracle--> the pairs of operations that race ---compare+
 *
 * A program is a list of operations that every thread goes through in one
 * order; each operation is done by some of the threads.  So the order of two
 * accesses follows from the barriers between them alone.  Operation k stands
 * at line k + 1 of a source file that there is not. */
#ifndef SUPPORT_RANDOM_PROGRAM_H
#define SUPPORT_RANDOM_PROGRAM_H

#include "base/random.h"
#include "base/text.h"
#include <stdbool.h>

enum {
    PROGRAM_OPS = 24,
    PROGRAM_THREADS = 128,
    PROGRAM_STEPS = 64, /* operations with loops unrolled */
    PROGRAM_BYTES = 512 /* of the array in shared memory, at most */
};

enum op_kind {
    DO_LOAD,
    DO_STORE_OWN,  /* a value that no other thread and operation stores */
    DO_STORE_SAME, /* the same value by all of them */
    DO_ATOMIC_ADD,
    DO_BARRIER,     /* bar.sync 0 */
    DO_BARRIER_OF,  /* bar.sync ID, COUNT by the warps `warps` */
    DO_ARRIVE,      /* the warps `warps` arrive, the warps `others` wait */
    DO_WARP_GROUPS, /* bar.warp.sync by groups of `size` lanes, each its own */
    DO_WARP_LANES,  /* bar.warp.sync `mask` by the lanes in it */
    DO_SHUFFLE,     /* these three order nothing */
    DO_VOTE,
    DO_FENCE,
    DO_LEAVE, /* threads end */
};
enum who_kind {
    WHO_ALL,
    WHO_BELOW,  /* tid < k */
    WHO_FROM,   /* tid >= k */
    WHO_MASKED, /* tid & mask == k */
    WHO_WARP,   /* tid / 32 == k */
    WHO_LANES,  /* tid % 32 < k */
    WHO_ONE,    /* tid == k */
    WHO_KINDS
};
enum where_kind {
    WHERE_PLUS,   /* tid + k */
    WHERE_MINUS,  /* k - tid */
    WHERE_XOR,    /* tid ^ k */
    WHERE_SHIFT,  /* tid >> k */
    WHERE_TIMES,  /* tid * k */
    WHERE_PLACE,  /* k */
    WHERE_TURNED, /* lane * warps + warp */
    WHERE_KINDS
};
enum space_kind {
    IN_BLOCK, /* shared memory */
    IN_PART,  /* global memory, each block its part */
    IN_ALL    /* global memory, the same for all blocks */
};

struct operation {
    enum op_kind kind;
    enum who_kind who;
    uint32_t who_k, who_mask;
    bool is_branch; /* jumped around, not predicated */
    enum space_kind space;
    uint32_t size;  /* bytes of an access; lanes of a group */
    bool is_vector; /* .v2, .v4 */
    enum where_kind where;
    uint32_t where_k, where_step; /* slot = where + step * turn, in a ring */
    uint32_t warps, others;       /* bits */
    uint32_t mask;                /* lanes */
};

struct random_program {
    uint32_t threads, grid;
    uint32_t bytes; /* of the array: a power of two */
    int count;
    struct operation ops[PROGRAM_OPS];
    int loop_from, loop_to, turns; /* turns 1: no loop */
};

/* Without races, with barriers where they are needed (and seldom more). */
void program_make(struct random_program *, struct random *);
/* One change that a careless author might make. */
void program_mutate(struct random_program *, struct random *);
/* The kernel `k(.u64 g)` as PTX text. */
void program_emit(const struct random_program *, struct text *);

/* ---- the oracle -------------------------------------------------------------- */

enum verdict_of_pair {
    PAIR_FINE, /* a finding would be a false alarm */
    PAIR_MAY,  /* harmless by its values, or hidden behind such a pair */
    PAIR_RACES,
};
struct oracle {
    enum verdict_of_pair pair[PROGRAM_OPS][PROGRAM_OPS]; /* both ways */
    bool is_racy;                                        /* any PAIR_RACES */
};
void oracle_judge(const struct random_program *, struct oracle *);

/* ---- what both need ------------------------------------------------------------ */

bool op_is_access(const struct operation *);
bool op_is_write(const struct operation *);
bool op_is_sync(const struct operation *);
bool op_does(const struct operation *, uint32_t tid); /* `who` only */
/* The first byte in the array, `turn` of the loop (0 outside). */
uint32_t op_address(const struct random_program *, const struct operation *,
                    uint32_t tid, uint32_t turn);
uint32_t op_value(const struct operation *, int index, uint32_t turn,
                  uint32_t block, uint32_t tid);

/* ---- blocks that pass messages --------------------------------------------------- */

/* The last block adds up what all have left in global memory; or a variant of
 * it in which an order is missing.  Gives PTX text, the launch, and whether
 * it races. */
struct message_program {
    uint32_t threads, grid;
    bool is_racy;
    char what[200]; /* its choices, in words */
};
void message_make(struct message_program *, struct random *, struct text *);

#endif
