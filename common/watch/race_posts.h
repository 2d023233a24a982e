/* Posts: what was published at a flag in global memory, by whom, and what who
 * reads it knows then.  For race_lessons.c. */
#ifndef WATCH_RACE_POSTS_H
#define WATCH_RACE_POSTS_H

#include "watch/race_clock.h"

struct post;
struct posts { /* of a launch */
    struct post *all;
    uint64_t searches;
};

/* What a thread publishes at a flag: of each thread of its block, the accesses
 * up to time[thread]. */
struct notice {
    uint32_t store_time; /* of the store or atomic itself */
    const uint32_t *time;
    uint32_t threads; /* of a block */
};

struct post *post_new(struct posts *);
void posts_free(struct posts *);
/* Rises with everything that is published there. */
uint64_t post_version(const struct post *);
/* Adds a copy.  False: it says nothing new (a lock that is tried again). */
bool post_publish(struct post *, uint64_t block, const struct notice *);
/* Who learns from the post from now on has also `from`, up to there. */
void post_add_source(struct post *, struct post *from, uint64_t up_to);
/* Does who has learnt the post up to a version know of that access: was it
 * published there in time, or at a post that the publishers knew? */
bool post_covers(struct posts *, struct post *, uint64_t up_to, uint64_t block,
                 uint32_t thread, uint32_t time);
/* Is an access of that block, made at `time`, the very store or atomic that
 * was learnt from, or an earlier one? */
bool post_has_store(const struct post *, uint64_t up_to, uint64_t block,
                    uint32_t time);

#endif
