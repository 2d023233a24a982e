/* Posts: what was published at a flag in global memory, by whom, and what who
 * reads it knows then.  For race_grid.c. */
#ifndef WATCH_RACE_POSTS_H
#define WATCH_RACE_POSTS_H

#include "watch/race.h"

struct post;
struct posts { /* of a launch */
    struct post *all;
    uint64_t searches;
};

/* What a warp publishes at a flag. */
struct notice {
    uint32_t store_time;      /* of the store or atomic itself */
    uint32_t time;            /* its own accesses up to here ... */
    uint32_t seen[MAX_WARPS]; /* ... and those it knew of other warps */
    uint64_t version;         /* of the post, when it was added */
};
/* What a block has learnt. */
struct lesson {
    struct post *post;
    uint64_t up_to;
    bool fenced;
};

struct post *post_new(struct posts *);
void posts_free(struct posts *);
/* Rises with everything that is published there. */
uint64_t post_version(const struct post *);
/* Adds a copy.  False: it says nothing new (a lock that is tried again). */
bool post_publish(struct post *, uint64_t block, uint32_t warp,
                  const struct notice *);
/* Who learns from the post from now on has also `from`, up to there. */
void post_add_source(struct post *, struct post *from, uint64_t up_to);
/* Does who has learnt the lesson know of that access: was it published there
 * in time, or at a post that the publishers knew? */
bool post_covers(struct posts *, const struct lesson *, uint64_t block,
                 uint32_t thread, uint32_t time);
/* Is an access of that block, made at `time`, the very store or atomic that
 * was learnt from, or an earlier one? */
bool post_has_store(const struct lesson *, uint64_t block, uint32_t time);

#endif
