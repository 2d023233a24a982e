/* Posts of flags in global memory; see race_posts.h. */
#include "watch/race_posts.h"

#include <stdlib.h>
#include <string.h>

/* Publishers had themselves learnt from another post: who reads this one from
 * `version` on has that one up to `up_to`.  Both rise from step to step. */
struct source {
    struct post *post;
    struct step {
        uint64_t version, up_to;
    } *steps;
    int count, capacity;
};
enum { NOTICE_BUCKETS = 64 };
struct post {
    uint64_t version;
    struct notice **buckets;
    uint32_t bucket_count, notice_count;
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
    p->bucket_count = NOTICE_BUCKETS;
    p->buckets = checked_alloc(p->bucket_count * sizeof *p->buckets);
    p->next_all = posts->all;
    return posts->all = p;
}

static void post_free(struct post *p)
{
    for (uint32_t k = 0; k < p->bucket_count; k++)
        while (p->buckets[k]) {
            struct notice *n = p->buckets[k];
            p->buckets[k] = n->next;
            free(n);
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

static struct notice **bucket_of(const struct post *p, uint64_t block)
{
    return &p->buckets[block * 0x9e3779b9u % p->bucket_count];
}

/* Keeps the lists short when thousands of blocks publish at one word. */
static void post_grow(struct post *p)
{
    if (p->notice_count < 4 * p->bucket_count)
        return;
    struct notice **old = p->buckets;
    uint32_t count = p->bucket_count;
    p->bucket_count = 8 * count;
    p->buckets = checked_alloc(p->bucket_count * sizeof *p->buckets);
    for (uint32_t k = 0; k < count; k++)
        while (old[k]) {
            struct notice *n = old[k];
            old[k] = n->next;
            struct notice **to = bucket_of(p, n->block);
            n->next = *to;
            *to = n;
        }
    free(old);
}

bool post_publish(struct post *p, const struct notice *what)
{
    for (struct notice *old = *bucket_of(p, what->block); old; old = old->next)
        if (old->block == what->block && old->warp == what->warp &&
            old->time == what->time &&
            !memcmp(old->seen, what->seen, sizeof old->seen))
            return false;
    struct notice *notice = checked_alloc(sizeof *notice);
    *notice = *what;
    notice->version = ++p->version;
    post_grow(p);
    struct notice **at = bucket_of(p, what->block);
    notice->next = *at;
    *at = notice;
    p->notice_count++;
    return true;
}

void post_add_source(struct post *p, struct post *from, uint64_t up_to)
{
    struct source *s = NULL;
    for (int k = 0; k < p->source_count && !s; k++)
        if (p->sources[k].post == from)
            s = &p->sources[k];
    if (!s) {
        p->sources = checked_realloc(p->sources,
                                     ((size_t)p->source_count + 1) *
                                         sizeof *p->sources);
        s = &p->sources[p->source_count++];
        *s = (struct source){ .post = from };
    }
    if (s->count && s->steps[s->count - 1].up_to >= up_to)
        return;
    if (s->count == s->capacity) {
        s->capacity = 2 * s->capacity + 2;
        s->steps = checked_realloc(s->steps,
                                   (size_t)s->capacity * sizeof *s->steps);
    }
    s->steps[s->count++] = (struct step){ p->version, up_to };
}

/* ---- searching ------------------------------------------------------------*/

/* Does a notice that the search may see tell of that access? */
static bool notice_covers(const struct post *p, uint64_t block, uint32_t warp,
                          uint32_t time)
{
    for (const struct notice *n = *bucket_of(p, block); n; n = n->next) {
        if (n->block != block || n->version > p->reached)
            continue;
        if (time <= (n->warp == warp ? n->time : n->seen[warp]))
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
    int low = 0, high = s->count; /* steps below `low` are early enough */
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
        if (notice_covers(p, block, thread / WARP_LANES, time))
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
    for (const struct notice *n = *bucket_of(p, block); n; n = n->next)
        if (n->block == block && n->version <= lesson->up_to &&
            time <= n->store_time)
            return true;
    return false;
}
