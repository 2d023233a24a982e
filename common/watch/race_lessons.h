/* What the threads of a block have learnt from posts; for race_grid.c.
 *
 * A lesson is an event of the block: lanes of a warp read a flag (or, after
 * that, made a fence) at some time.  Who knows of that event by the clocks of
 * the block knows the lesson. */
#ifndef WATCH_RACE_LESSONS_H
#define WATCH_RACE_LESSONS_H

#include "watch/race_posts.h"

struct lesson;
struct lessons { /* of a block */
    struct lesson *items;
    int count, capacity;
};

/* Does a thread know of an access of another block? */
enum knowledge {
    UNKNOWN,
    UNFENCED, /* read at a flag, no fence since */
    LEARNT
};

void lessons_begin(struct lessons *);
void lessons_free(struct lessons *);
/* Lanes read a flag (`fenced`: with an acquire) that has this post.  The
 * number `meetings` rises whenever others may learn from the warp. */
void lessons_add(struct lessons *, struct post *, uint32_t warp, uint32_t lanes,
                 uint32_t time, uint32_t meetings, bool fenced);
/* Lanes make a fence: what they know unfenced may be relied on. */
void lessons_fence(struct lessons *, const struct view *, uint32_t lanes,
                   uint32_t time, uint32_t meetings);
/* Of an access of block `block`, by what the lane of the view knows. */
enum knowledge lessons_know(const struct lessons *, struct posts *,
                            const struct view *, uint32_t lane, uint64_t block,
                            uint32_t thread, uint32_t time);
/* Is that access the very store or atomic at `post` that was learnt from, or
 * an earlier one? */
bool lessons_have_store(const struct lessons *, const struct post *,
                        const struct view *, uint32_t lane, uint64_t block,
                        uint32_t time);
/* What is published at `to` from now on contains the lessons known to who
 * knows time[thread] of each thread of the block. */
void lessons_pass_on(const struct lessons *, struct post *to,
                     const uint32_t *time);

#endif
