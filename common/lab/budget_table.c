/* The budgets of the stages: n = 2^18, 256 threads a block.  See budget.h. */
#include "lab/budget.h"

#define ONLY(id)                       \
    {                                  \
        COUNT_##id, COUNTERS, COUNTERS \
    }
#define CONFLICTS                                                 \
    {                                                             \
        COUNT_CONFLICT_LD, COUNT_CONFLICT_ST, COUNT_CONFLICT_ATOM \
    }

#define ONE_ATOMIC(name, needs)                                             \
    {                                                                       \
        .stage = name, .what = "atomic additions to global memory a block", \
        .counters = ONLY(ATOMIC_LANES), .per = PER_BLOCK, .limit = 1,       \
        .reference = needs,                                                 \
        .idea = "A block folds its elements and then sends one atomic."     \
    }
#define FULL_WARPS(name, needs)                                               \
    {                                                                         \
        .stage = name, .what = "lanes at work in a load from shared memory",  \
        .counters = ONLY(SHARED_LD_LANES), .per = PER_SHARED_LOAD,            \
        .is_least = true, .limit = 16, .reference = needs,                    \
        .idea =                                                               \
            "Threads that add sit side by side, so that warps work whole or " \
            "rest; where lanes of a warp go different ways (divergence), "    \
            "most of them only wait."                                         \
    }
#define NO_CONFLICTS(name)                                                   \
    {                                                                        \
        .stage = name, .what = "bank conflicts a block",                     \
        .counters = CONFLICTS, .per = PER_BLOCK, .limit = 0, .reference = 0, \
        .idea = "Neighbours add neighbouring words: 32 lanes, 32 banks."     \
    }
#define HALF_THE_STORES(name, needs)                                          \
    {                                                                         \
        .stage = name, .what = "stores to shared memory for 1000 elements",   \
        .counters = ONLY(SHARED_ST_REQ), .per = PER_1000_ELEMENTS,            \
        .limit = 45, .reference = needs,                                      \
        .idea = "A thread adds two elements while it loads, so half as many " \
                "words are stored as in v3, which has 78."                    \
    }
#define WIDE_LOADS(name, needs)                                              \
    {                                                                        \
        .stage = name, .what = "loads from global memory for 1000 elements", \
        .counters = ONLY(REQUEST_LD), .per = PER_1000_ELEMENTS, .limit = 10, \
        .reference = needs,                                                  \
        .idea = "A lane loads a float4, so a warp 128 elements at once; v6 " \
                "needs 31 loads for what takes 8 then."                      \
    }

const struct budget budgets[] = {
    {.stage = "v0_atomic",
     .what = "atomic additions to global memory for 1000 elements",
     .counters = ONLY(ATOMIC_LANES),
     .per = PER_1000_ELEMENTS,
     .limit = 1000,
     .reference = 1000,
     .idea = "Each element is added to *out once."},

    ONE_ATOMIC("v1_interleaved", 1),

    ONE_ATOMIC("v2_strided", 1),
    FULL_WARPS("v2_strided", 20.44),

    ONE_ATOMIC("v3_sequential", 1),
    FULL_WARPS("v3_sequential", 20.44),
    NO_CONFLICTS("v3_sequential"),

    ONE_ATOMIC("v4_first_add", 1),
    FULL_WARPS("v4_first_add", 20.44),
    NO_CONFLICTS("v4_first_add"),
    HALF_THE_STORES("v4_first_add", 39.0625),

    ONE_ATOMIC("v5_unroll_last_warp", 1),
    NO_CONFLICTS("v5_unroll_last_warp"),
    HALF_THE_STORES("v5_unroll_last_warp", 39.0625),
    {.stage = "v5_unroll_last_warp",
     .what = "block barriers a warp",
     .counters = ONLY(BARRIER),
     .per = PER_WARP,
     .limit = 3,
     .reference = 3,
     .idea = "With 256 threads the rounds of stride 128 and 64 need one each, "
             "and the load one before them; what one warp does alone needs "
             "none."},

    ONE_ATOMIC("v6_gridstride_shuffle", 1),
    NO_CONFLICTS("v6_gridstride_shuffle"),
    {.stage = "v6_gridstride_shuffle",
     .what = "shuffles a warp",
     .counters = ONLY(SHUFFLE),
     .per = PER_WARP,
     .is_least = true,
     .limit = 5,
     .reference = 5.625,
     .idea = "Lanes read each other's registers: five rounds fold a warp."},
    {.stage = "v6_gridstride_shuffle",
     .what = "stores to shared memory a warp",
     .counters = ONLY(SHARED_ST_REQ),
     .per = PER_WARP,
     .limit = 1,
     .reference = 1,
     .idea = "A warp leaves one word, its sum."},
    {.stage = "v6_gridstride_shuffle",
     .what = "32-byte sectors loaded for 1000 elements",
     .counters = ONLY(SECTOR_LD),
     .per = PER_1000_ELEMENTS,
     .limit = 125.5,
     .reference = 125,
     .idea = "Every element is loaded once, and neighbouring lanes load "
             "neighbouring elements: eight of them share a sector."},

    ONE_ATOMIC("x1_vectorized", 1),
    NO_CONFLICTS("x1_vectorized"),
    WIDE_LOADS("x1_vectorized", 7.8125),

    WIDE_LOADS("x2_last_block", 7.82),
    {.stage = "x2_last_block",
     .what = "atomics that want no answer, a block",
     .counters = ONLY(RED),
     .per = PER_BLOCK,
     .limit = 0,
     .reference = 0,
     .idea = "Nothing is added to a word that all share: the last block adds, "
             "in an order that does not depend on who came when."},
    {.stage = "x2_last_block",
     .what = "atomic operations on global memory a block",
     .counters = ONLY(ATOMIC_LANES),
     .per = PER_BLOCK,
     .limit = 1,
     .reference = 1,
     .idea = "A block takes one ticket."},
};
const int budget_count = sizeof budgets / sizeof budgets[0];
