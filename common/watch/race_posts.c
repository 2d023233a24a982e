/* Posts of flags in global memory; see race_posts.h.
 *
 * What one block publishes only grows: its notices are kept in the order of
 * their versions, and of those that a reader may see the last one says all. */
#include "watch/race_posts.h"

#include "base/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Times by thread, packed: a time for each warp, and the lanes that are ahead
 * of their warp (mostly none, or the one that publishes). */
struct ahead {
    uint32_t thread, time;
};
struct kept_notice {
    uint64_t version;
    uint32_t store_time, ahead_count;
    uint32_t *warps;     /* owned, with what follows it */
    struct ahead *ahead; /* behind them */
};
/* The notices of one block. */
struct origin {
    uint64_t block;
    struct kept_notice *notices; /* by rising version */
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
            for (int n = 0; n < o->count; n++)
                free(o->notices[n].warps);
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
    assert(p->bucket_count > 0);
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

static struct origin *find_origin(const struct post *p, uint64_t block)
{
    struct origin *o = *bucket_of(p, block);
    while (o && o->block != block)
        o = o->next;
    return o;
}

static struct origin *origin_of(struct post *p, uint64_t block)
{
    struct origin *o = find_origin(p, block);
    if (o)
        return o;
    o = checked_alloc(sizeof *o);
    o->block = block;
    post_grow(p);
    struct origin **at = bucket_of(p, block);
    o->next = *at;
    *at = o;
    p->origin_count++;
    return o;
}

static uint32_t time_in(const struct kept_notice *n, uint32_t thread)
{
    for (uint32_t k = 0; k < n->ahead_count; k++)
        if (n->ahead[k].thread == thread)
            return n->ahead[k].time;
    return n->warps[thread / WARP_LANES];
}

static uint32_t least(const uint32_t *time, uint32_t from, uint32_t to)
{
    uint32_t low = time[from];
    for (uint32_t t = from + 1; t < to; t++)
        low = low < time[t] ? low : time[t];
    return low;
}

static struct kept_notice pack(const struct notice *what, const uint32_t *time)
{
    uint32_t warps = (what->threads + WARP_LANES - 1) / WARP_LANES;
    uint32_t low[MAX_WARPS] = {0}, count = 0;
    for (uint32_t x = 0; x < warps; x++) {
        uint32_t from = x * WARP_LANES, to = from + WARP_LANES;
        low[x] = least(time, from, to < what->threads ? to : what->threads);
    }
    for (uint32_t t = 0; t < what->threads; t++)
        count += time[t] > low[t / WARP_LANES];
    struct kept_notice n = {.store_time = what->store_time};
    n.warps = checked_alloc(warps * sizeof *n.warps + count * sizeof *n.ahead);
    n.ahead = (struct ahead *)(n.warps + warps);
    memcpy(n.warps, low, warps * sizeof *low);
    for (uint32_t t = 0; t < what->threads; t++)
        if (time[t] > low[t / WARP_LANES])
            n.ahead[n.ahead_count++] = (struct ahead){t, time[t]};
    return n;
}

/* What was said before stays true; false if there is nothing new. */
static bool add_last(uint32_t *time, uint32_t threads,
                     const struct kept_notice *last)
{
    uint32_t old[BLOCK_THREADS] = {0};
    bool is_new = false;
    for (uint32_t t = 0; t < threads; t++)
        old[t] = last->warps[t / WARP_LANES];
    for (uint32_t k = 0; k < last->ahead_count; k++)
        old[last->ahead[k].thread] = last->ahead[k].time;
    for (uint32_t t = 0; t < threads; t++) {
        is_new |= time[t] > old[t];
        time[t] = time[t] < old[t] ? old[t] : time[t];
    }
    return is_new;
}

bool post_publish(struct post *p, uint64_t block, const struct notice *what)
{
    struct origin *o = origin_of(p, block);
    uint32_t time[BLOCK_THREADS] = {0};
    memcpy(time, what->time, what->threads * sizeof *time);
    if (o->count && !add_last(time, what->threads, &o->notices[o->count - 1]))
        return false;
    if (o->count == o->capacity) {
        o->capacity = 2 * o->capacity + 1;
        o->notices = checked_realloc(o->notices,
                                     (size_t)o->capacity * sizeof *o->notices);
    }
    struct kept_notice n = pack(what, time);
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

/* The last notice of a block up to a version, or NULL. */
static const struct kept_notice *last_notice(const struct origin *o,
                                             uint64_t up_to)
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
static bool notices_cover(const struct post *p, uint64_t block, uint32_t thread,
                          uint32_t time)
{
    const struct origin *o = find_origin(p, block);
    const struct kept_notice *n = o ? last_notice(o, p->reached) : NULL;
    return n && time <= time_in(n, thread);
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

bool post_covers(struct posts *posts, struct post *post, uint64_t up_to,
                 uint64_t block, uint32_t thread, uint32_t time)
{
    struct post *waiting = NULL;
    uint64_t search = ++posts->searches;
    reach(&waiting, post, search, up_to);
    while (waiting) {
        struct post *p = waiting;
        waiting = p->next_waiting;
        p->waits = false;
        if (notices_cover(p, block, thread, time))
            return true;
        for (int k = 0; k < p->source_count; k++) {
            uint64_t from = source_up_to(p, &p->sources[k]);
            if (from)
                reach(&waiting, p->sources[k].post, search, from);
        }
    }
    return false;
}

bool post_has_store(const struct post *p, uint64_t up_to, uint64_t block,
                    uint32_t time)
{
    const struct origin *o = find_origin(p, block);
    const struct kept_notice *n = o ? last_notice(o, up_to) : NULL;
    return n && time <= n->store_time;
}
