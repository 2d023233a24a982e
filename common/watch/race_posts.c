/* Posts of flags in global memory; see race_posts.h.
 *
 * What one warp publishes only grows: its notices are kept in the order of
 * their versions, and of those that a reader may see the last one says all. */
#include "watch/race_posts.h"

#include <stdlib.h>
#include <string.h>

/* The notices of one warp. */
struct origin {
    uint64_t block;
    uint32_t warp;
    struct notice *notices; /* by rising version */
    int count, capacity;
    struct origin *next; /* in the bucket */
};
/* Publishers had themselves learnt from another post: who reads this one from
 * `version` on has that one up to `up_to`.  Both rise from step to step. */
struct step {
    uint64_t version, up_to;
};
struct source {
    struct post *post;
    struct step *steps;
    int count, capacity;
};
enum { FIRST_BUCKETS = 64 };
struct post {
    uint64_t version;
    struct origin **buckets; /* by block */
    uint32_t bucket_count, origin_count;
    struct source *sources;
    int source_count;
    struct post *next_all;
    /* For post_covers: */
    uint64_t search, reached; /* seen in this search, up to there */
    bool waits;
    struct post *next_waiting;
};

struct post *post_new(struct posts *posts)
{
    struct post *p = checked_alloc(sizeof *p);
    p->bucket_count = FIRST_BUCKETS;
    p->buckets = checked_alloc(p->bucket_count * sizeof(struct origin *));
    p->next_all = posts->all;
    return posts->all = p;
}

static void post_free(struct post *p)
{
    for (uint32_t k = 0; k < p->bucket_count; k++)
        while (p->buckets[k]) {
            struct origin *o = p->buckets[k];
            p->buckets[k] = o->next;
            free(o->notices);
            free(o);
        }
    for (int k = 0; k < p->source_count; k++)
        free(p->sources[k].steps);
    free(p->buckets);
    free(p->sources);
    free(p);
}

void posts_free(struct posts *posts)
{
    while (posts->all) {
        struct post *p = posts->all;
        posts->all = p->next_all;
        post_free(p);
    }
}

uint64_t post_version(const struct post *p)
{
    return p->version;
}

/* ---- publishing -----------------------------------------------------------*/

static struct origin **bucket_of(const struct post *p, uint64_t block)
{
    return &p->buckets[block * 0x9e3779b9u % p->bucket_count];
}

/* Keeps the lists short when thousands of blocks publish at one word. */
static void post_grow(struct post *p)
{
    if (p->origin_count < 4 * p->bucket_count)
        return;
    struct origin **old = p->buckets;
    uint32_t count = p->bucket_count;
    p->bucket_count = 8 * count;
    p->buckets = checked_alloc(p->bucket_count * sizeof(struct origin *));
    for (uint32_t k = 0; k < count; k++)
        while (old[k]) {
            struct origin *o = old[k];
            old[k] = o->next;
            struct origin **to = bucket_of(p, o->block);
            o->next = *to;
            *to = o;
        }
    free(old);
}

static struct origin *origin_of(struct post *p, uint64_t block, uint32_t warp)
{
    for (struct origin *o = *bucket_of(p, block); o; o = o->next)
        if (o->block == block && o->warp == warp)
            return o;
    struct origin *o = checked_alloc(sizeof *o);
    o->block = block;
    o->warp = warp;
    post_grow(p);
    struct origin **at = bucket_of(p, block);
    o->next = *at;
    *at = o;
    p->origin_count++;
    return o;
}

/* What was said before stays true. */
static void add_last(struct notice *n, const struct notice *last)
{
    if (n->time < last->time)
        n->time = last->time;
    for (int x = 0; x < MAX_WARPS; x++)
        if (n->seen[x] < last->seen[x])
            n->seen[x] = last->seen[x];
}

bool post_publish(struct post *p, uint64_t block, uint32_t warp,
                  const struct notice *what)
{
    struct origin *o = origin_of(p, block, warp);
    struct notice n = *what;
    if (o->count) {
        const struct notice *last = &o->notices[o->count - 1];
        add_last(&n, last);
        if (last->time == n.time && !memcmp(last->seen, n.seen, sizeof n.seen))
            return false;
    }
    if (o->count == o->capacity) {
        o->capacity = 2 * o->capacity + 1;
        o->notices = checked_realloc(o->notices,
                                     (size_t)o->capacity * sizeof *o->notices);
    }
    n.version = ++p->version;
    o->notices[o->count++] = n;
    return true;
}

void post_add_source(struct post *p, struct post *from, uint64_t up_to)
{
    struct source *s = NULL;
    for (int k = 0; k < p->source_count && !s; k++)
        if (p->sources[k].post == from)
            s = &p->sources[k];
    if (!s) {
        size_t bytes = ((size_t)p->source_count + 1) * sizeof *p->sources;
        p->sources = checked_realloc(p->sources, bytes);
        s = &p->sources[p->source_count++];
        *s = (struct source){.post = from};
    }
    if (s->count && s->steps[s->count - 1].up_to >= up_to)
        return;
    if (s->count == s->capacity) {
        s->capacity = 2 * s->capacity + 2;
        s->steps =
            checked_realloc(s->steps, (size_t)s->capacity * sizeof *s->steps);
    }
    s->steps[s->count++] = (struct step){p->version, up_to};
}

/* ---- searching ------------------------------------------------------------*/

/* The last notice of a warp up to a version, or NULL. */
static const struct notice *last_notice(const struct origin *o, uint64_t up_to)
{
    int low = 0, high = o->count; /* those below `low` are early enough */
    while (low < high) {
        int middle = (low + high) / 2;
        if (o->notices[middle].version <= up_to)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &o->notices[low - 1] : NULL;
}

/* Does a notice that the search may see tell of that access? */
static bool notices_cover(const struct post *p, uint64_t block, uint32_t warp,
                          uint32_t time)
{
    for (const struct origin *o = *bucket_of(p, block); o; o = o->next) {
        const struct notice *n =
            o->block == block ? last_notice(o, p->reached) : NULL;
        if (n && time <= (o->warp == warp ? n->time : n->seen[warp]))
            return true;
    }
    return false;
}

/* The search comes to p with all it had up to a version: p waits for its turn
 * unless it was looked at so far already. */
static void reach(struct post **waiting, struct post *p, uint64_t search,
                  uint64_t up_to)
{
    if (p->search == search && p->reached >= up_to)
        return;
    p->waits = p->search == search && p->waits;
    p->search = search;
    p->reached = up_to;
    if (p->waits)
        return;
    p->waits = true;
    p->next_waiting = *waiting;
    *waiting = p;
}

/* What a post had of a source when it was at p->reached; 0 nothing. */
static uint64_t source_up_to(const struct post *p, const struct source *s)
{
    int low = 0, high = s->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (s->steps[middle].version <= p->reached)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? s->steps[low - 1].up_to : 0;
}

bool post_covers(struct posts *posts, const struct lesson *lesson,
                 uint64_t block, uint32_t thread, uint32_t time)
{
    struct post *waiting = NULL;
    uint64_t search = ++posts->searches;
    reach(&waiting, lesson->post, search, lesson->up_to);
    while (waiting) {
        struct post *p = waiting;
        waiting = p->next_waiting;
        p->waits = false;
        if (notices_cover(p, block, thread / WARP_LANES, time))
            return true;
        for (int k = 0; k < p->source_count; k++) {
            uint64_t from = source_up_to(p, &p->sources[k]);
            if (from)
                reach(&waiting, p->sources[k].post, search, from);
        }
    }
    return false;
}

bool post_has_store(const struct lesson *lesson, uint64_t block, uint32_t time)
{
    const struct post *p = lesson->post;
    for (const struct origin *o = *bucket_of(p, block); o; o = o->next) {
        const struct notice *n =
            o->block == block ? last_notice(o, lesson->up_to) : NULL;
        if (n && time <= n->store_time)
            return true;
    }
    return false;
}
