/* The stages of the ladder: one table, in stage_table.c, and nobody repeats a
 * number of it.  Paths come from names (home.h). */
#ifndef LAB_STAGE_H
#define LAB_STAGE_H

#include "base/error.h"
#include "device/device.h"
#include <stdint.h>

enum block_rule {
    BLOCK_WARPS,        /* any multiple of 32 in [block_min, block_max] */
    BLOCK_POWER_OF_TWO, /* powers of two in that range */
};
enum grid_rule {
    GRID_COVER, /* ceil(n / (block * items)) blocks, at least 1 */
    GRID_FILL,  /* as many blocks as the device holds at once, but no more
                   than cover n */
};
enum { HINT_LEVELS = 3 };

struct stage {
    const char *name;   /* "v3_sequential", the folder's name */
    const char *title;  /* "Sequential addressing" */
    const char *idea;   /* the one new idea, at most 40 letters */
    const char *before; /* what was wrong with the stage before */

    enum block_rule block_rule;
    uint32_t block_min, block_max;
    uint32_t default_block;
    const uint32_t *blocks; /* what the grader tries, rising, 0 at the end */
    uint32_t items;         /* elements a thread takes; v6: at least 1 */
    enum grid_rule grid_rule;
    /* Elements that are surely added up before they go to the one word that
     * all share: 1 in v0, a warp's worth in the others (an atomic per warp
     * is as right as one per block).  The tolerance follows from it. */
    uint32_t folded;
    bool is_fixed_order; /* the same bits in whatever order blocks come */

    int points;
    /* The shipped skeleton gives a wrong sum, for the first time at this n
     * with the default block (and the default grid). */
    uint64_t fails_at;
    const char *hints[HINT_LEVELS]; /* a question, a pointer, nearly the line */
};

extern const struct stage stages[];
extern const int stage_count;

/* "v3", "v3_sequential", "sequential" or a beginning that fits one stage
 * only; else "did you mean". */
const struct stage *stage_find(const char *name, struct error *);
/* The part before the first '_': "v3".  Returns buffer. */
const char *stage_short(const struct stage *, char *buffer, size_t size);
/* Only whether `name` could be meant as a file: has a '/' or ends in .cu or
 * .ptx. */
bool stage_is_path(const char *name);

/* Is this block accepted?  The message lists what is. */
bool stage_block_check(const struct stage *, uint32_t block, struct error *);
/* "32, 64, 128 ... 1024" or "multiples of 32, 32 to 1024". */
const char *stage_blocks_text(const struct stage *, char *text, size_t size);

/* Default grid.  A NULL stage is a file: cover n with one element a thread. */
uint64_t stage_grid(const struct stage *, const struct device *, uint64_t n,
                    uint32_t block, uint32_t shared_bytes);
/* The longest chain of additions, for expect_sum; NULL: n. */
uint64_t stage_chain(const struct stage *, uint64_t n);

/* The sizes that the grader tries with this block, rising, each once: 0 1 2 3
 * 31 32 33 63 64 65, the block and the tile +-1, 1000, 1023..1025,
 * 4097..4099, 100003.  Returns how many (at most STAGE_SIZES). */
enum { STAGE_SIZES = 40 };
int stage_sizes(const struct stage *, uint32_t block,
                uint64_t sizes[STAGE_SIZES]);

#endif
