/* Clocks of a block; see race_clock.h. */
#include "watch/race_clock.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* Published at a flag in shared memory, or by this block in global memory. */
struct flag {
    uint64_t key, stamp;
    struct known *known;
    struct flag *next;
};

/* ---- times by thread ------------------------------------------------------- */

static uint32_t slots_of(const struct clocks *c)
{
    return c->warps * WARP_LANES;
}

static struct known *known_new(struct clocks *c)
{
    struct known *k = c->free;
    size_t bytes = slots_of(c) * sizeof *k->time;
    if (k) {
        c->free = k->next_free;
        memset(k->time, 0, bytes);
    } else {
        k = checked_alloc(sizeof *k + bytes);
    }
    k->users = 1;
    return k;
}

static struct known *known_share(struct known *k)
{
    if (k)
        k->users++;
    return k;
}

void known_drop(struct clocks *c, struct known *k)
{
    if (!k || --k->users)
        return;
    k->next_free = c->free;
    c->free = k;
}

static void raise_to(uint32_t *time, const uint32_t *more, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        time[k] = time[k] < more[k] ? more[k] : time[k];
}

/* *k may be written to: it is nobody else's. */
static struct known *known_write(struct clocks *c, struct known **k)
{
    struct known *old = *k;
    if (old && old->users == 1)
        return old;
    *k = known_new(c);
    if (old)
        memcpy((*k)->time, old->time, slots_of(c) * sizeof *old->time);
    known_drop(c, old);
    return *k;
}

static void known_join(struct clocks *c, struct known **to, struct known *from)
{
    if (!from || *to == from)
        return;
    if (!*to)
        *to = known_share(from);
    else
        raise_to(known_write(c, to)->time, from->time, slots_of(c));
}

static void raise_warps(uint32_t *time, const uint32_t *seen, uint32_t warps)
{
    for (uint32_t x = 0; x < warps; x++)
        for (uint32_t i = 0; i < WARP_LANES; i++)
            if (time[x * WARP_LANES + i] < seen[x])
                time[x * WARP_LANES + i] = seen[x];
}

/* ---- lanes of a warp --------------------------------------------------------- */

static void changed(struct warp_clock *w)
{
    w->view = NULL;
    w->meetings++;
}

static struct lane_clocks *use_lanes(struct warp_clock *w)
{
    if (!w->lanes)
        w->lanes = checked_alloc(sizeof *w->lanes);
    w->has_lanes = true;
    return w->lanes;
}

static void give_lane(struct clocks *c, struct lane_clocks *l,
                      enum clock_kind kind, int lane, struct known *k)
{
    struct known *old = l->clock[kind][lane];
    l->own[kind][lane] = 0;
    if (old == k)
        return;
    l->clock[kind][lane] = known_share(k);
    known_drop(c, old);
}

static void give(struct clocks *c, struct warp_clock *w, uint32_t lanes,
                 struct known *const *known)
{
    for (enum clock_kind kind = 0; kind < CLOCKS; kind++)
        for (uint32_t m = lanes; m; m &= m - 1)
            give_lane(c, w->lanes, kind, __builtin_ctz(m), known[kind]);
}

static void forget_lanes(struct clocks *c, struct warp_clock *w)
{
    static struct known *const nothing[CLOCKS];
    if (w->has_lanes)
        give(c, w, 0xffffffffu, nothing);
    w->has_lanes = false;
}

/* All that the lanes know is added to known[]. */
static void gather(struct clocks *c, const struct warp_clock *w, uint32_t warp,
                   uint32_t lanes, struct known **known)
{
    for (enum clock_kind kind = 0; kind < CLOCKS; kind++) {
        const struct known *last = NULL;
        for (uint32_t m = lanes; m; m &= m - 1) {
            int i = __builtin_ctz(m);
            struct known *k = w->lanes->clock[kind][i];
            uint32_t own = w->lanes->own[kind][i];
            if (k && k != last)
                known_join(c, &known[kind], k);
            last = k;
            if (!own)
                continue;
            uint32_t *at = &known_write(c, &known[kind])
                                ->time[warp * WARP_LANES + (uint32_t)i];
            *at = *at < own ? own : *at;
        }
    }
}

static void drop_all(struct clocks *c, struct known **known)
{
    for (int kind = 0; kind < CLOCKS; kind++) {
        known_drop(c, known[kind]);
        known[kind] = NULL;
    }
}

/* The least of what is known of each warp.  Warps that have ended do not
 * count if nothing of them is unknown. */
static uint32_t least_seen(const struct clocks *c, const uint32_t *seen)
{
    uint32_t low = UINT32_MAX;
    for (uint32_t x = 0; x < c->warps; x++) {
        bool is_over = c->gone[x] == 0xffffffffu && c->warp[x].last <= seen[x];
        if (!is_over && low > seen[x])
            low = seen[x];
    }
    return low == UINT32_MAX ? 0 : low;
}

/* The least time of the lanes of warp x that there are. */
static uint32_t least(const struct clocks *c, const struct known *k, uint32_t x)
{
    uint32_t low = UINT32_MAX, first = x * WARP_LANES;
    for (uint32_t t = first; t < first + WARP_LANES && t < c->threads; t++)
        low = low > k->time[t] ? k->time[t] : low;
    return low;
}

/* All lanes of a warp know the same: what they know of all lanes of a warp
 * goes to `seen`, and often nothing is left. */
static void fold(struct clocks *c, struct warp_clock *w, uint32_t lanes)
{
    struct known *k = w->lanes->clock[CLOCK_KNOWN][__builtin_ctz(lanes)];
    bool is_more = false, is_used = false;
    for (uint32_t x = 0; k && x < c->warps; x++) {
        uint32_t low = least(c, k, x);
        w->seen[x] = w->seen[x] < low ? low : w->seen[x];
        for (uint32_t i = 0; i < WARP_LANES; i++)
            is_more |= k->time[x * WARP_LANES + i] > w->seen[x];
    }
    for (int i = 0; i < WARP_LANES && !is_more; i++)
        give_lane(c, w->lanes, CLOCK_KNOWN, i, NULL);
    for (int kind = 0; kind < CLOCKS; kind++)
        for (int i = 0; i < WARP_LANES; i++)
            is_used |= w->lanes->clock[kind][i] || w->lanes->own[kind][i];
    w->has_lanes = is_used;
    w->low = least_seen(c, w->seen);
}

static uint32_t live_lanes(const struct clocks *c, uint32_t warp)
{
    return ~c->gone[warp];
}

void clocks_meet(struct clocks *c, uint32_t warp, uint32_t here, uint32_t named)
{
    struct warp_clock *w = &c->warp[warp];
    uint32_t lanes = here | (named & c->gone[warp]);
    uint32_t first = warp * WARP_LANES, count = c->threads - first;
    bool is_whole =
        !(count < WARP_LANES ? ((1u << count) - 1) & ~lanes : ~lanes);
    changed(w);
    if (is_whole && !w->has_lanes) {
        w->seen[warp] = c->now;
        if (c->warps == 1)
            w->low = c->settled = c->now;
        return;
    }
    struct known *known[CLOCKS] = {0};
    use_lanes(w);
    gather(c, w, warp, lanes, known);
    uint32_t *time = known_write(c, &known[CLOCK_KNOWN])->time;
    for (uint32_t m = lanes; m; m &= m - 1)
        time[warp * WARP_LANES + (uint32_t)__builtin_ctz(m)] = c->now;
    give(c, w, here, known);
    drop_all(c, known);
    if (is_whole) {
        w->seen[warp] = c->now;
        fold(c, w, here);
    }
}

/* ---- barriers ------------------------------------------------------------------ */

void clocks_arrive(struct clocks *c, uint32_t warp, int barrier, uint32_t lanes,
                   uint32_t live, bool waits)
{
    struct barrier_clock *bar = &c->barriers[barrier];
    struct warp_clock *w = &c->warp[warp];
    if (!bar->open) {
        memset(bar->joined, 0, c->warps * sizeof *bar->joined);
        drop_all(c, bar->clock);
        bar->waiting = 0;
        bar->open = true;
    }
    changed(w);
    raise_to(bar->joined, w->seen, c->warps);
    if (w->has_lanes)
        gather(c, w, warp, lanes, bar->clock);
    if (lanes == live) {
        bar->joined[warp] = c->now;
        bar->waiting |= (uint32_t)waits << warp;
        return;
    }
    uint32_t *time = known_write(c, &bar->clock[CLOCK_KNOWN])->time;
    for (uint32_t m = lanes; m; m &= m - 1)
        time[warp * WARP_LANES + (uint32_t)__builtin_ctz(m)] = c->now;
}

/* The barrier opens; who stands there has done nothing since he came. */
static void begin_opening(struct clocks *c, struct barrier_clock *bar)
{
    bool is_all = true;
    for (uint32_t m = bar->waiting; m; m &= m - 1)
        bar->joined[__builtin_ctz(m)] = c->now;
    bar->open = false;
    for (uint32_t x = 0; x < c->warps; x++)
        is_all &=
            (bar->waiting >> x & 1) ||
            (c->gone[x] == 0xffffffffu && c->warp[x].last <= bar->joined[x]);
    if (is_all)
        c->settled = c->now;
    bar->low = least_seen(c, bar->joined);
}

void clocks_open(struct clocks *c, uint32_t warp, int barrier, uint32_t lanes,
                 uint32_t live)
{
    struct barrier_clock *bar = &c->barriers[barrier];
    struct warp_clock *w = &c->warp[warp];
    if (bar->open)
        begin_opening(c, bar);
    changed(w);
    bool is_whole = lanes == live, has_more = w->has_lanes;
    for (int kind = 0; kind < CLOCKS; kind++)
        has_more |= bar->clock[kind] != NULL;
    if (is_whole) {
        raise_to(w->seen, bar->joined, c->warps);
        w->seen[warp] = c->now;
        w->low = w->low < bar->low ? bar->low : w->low;
        if (!has_more)
            return;
        use_lanes(w);
        give(c, w, lanes, bar->clock);
        fold(c, w, lanes);
        return;
    }
    struct known *known[CLOCKS];
    for (int kind = 0; kind < CLOCKS; kind++)
        known[kind] = known_share(bar->clock[kind]);
    raise_warps(known_write(c, &known[CLOCK_KNOWN])->time, bar->joined,
                c->warps);
    use_lanes(w);
    give(c, w, lanes, known);
    drop_all(c, known);
}

void clocks_exit(struct clocks *c, uint32_t warp, uint32_t lanes)
{
    c->gone[warp] |= lanes;
}

/* ---- fences ---------------------------------------------------------------------- */

/* What a lane knows, with what is in seen[]. */
static struct known *whole_known(struct clocks *c, const struct warp_clock *w,
                                 struct known *more)
{
    struct known *k = known_share(more);
    raise_warps(known_write(c, &k)->time, w->seen, c->warps);
    return k;
}

static void absorb_pending(struct clocks *c, struct lane_clocks *l, int i)
{
    struct known *k = l->clock[CLOCK_PENDING][i];
    if (!k)
        return;
    known_join(c, &l->clock[CLOCK_KNOWN][i], k);
    give_lane(c, l, CLOCK_PENDING, i, NULL);
}

void clocks_fence(struct clocks *c, uint32_t warp, uint32_t lanes, bool is_grid)
{
    struct warp_clock *w = &c->warp[warp];
    struct lane_clocks *l = use_lanes(w);
    struct known *fenced = NULL, *last = NULL;
    w->view = NULL;
    for (uint32_t m = lanes; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        absorb_pending(c, l, i);
        struct known *k = l->clock[CLOCK_KNOWN][i];
        if (!fenced || k != last) {
            known_drop(c, fenced);
            fenced = whole_known(c, w, k);
            last = k;
        }
        for (int kind = CLOCK_FENCED_BLOCK; kind <= CLOCK_FENCED_GRID; kind++)
            if (kind == CLOCK_FENCED_BLOCK || is_grid) {
                give_lane(c, l, (enum clock_kind)kind, i, fenced);
                l->own[kind][i] = c->now;
            }
    }
    known_drop(c, fenced);
}

/* ---- flags ------------------------------------------------------------------------- */

static struct flag **bucket_of(struct clocks *c, uint64_t key)
{
    return &c->flags[(key >> 2 ^ key >> 9) % FLAG_BUCKETS];
}

static struct flag *flag_at(struct clocks *c, uint64_t key)
{
    struct flag *f = *bucket_of(c, key);
    while (f && f->key != key)
        f = f->next;
    return f;
}

static struct flag *flag_make(struct clocks *c, uint64_t key)
{
    struct flag *f = flag_at(c, key), **bucket = bucket_of(c, key);
    if (f)
        return f;
    f = checked_alloc(sizeof *f);
    f->key = key;
    f->next = *bucket;
    c->has_flags = true;
    return *bucket = f;
}

static void drop_flags(struct clocks *c)
{
    for (int k = 0; k < FLAG_BUCKETS && c->has_flags; k++)
        while (c->flags[k]) {
            struct flag *f = c->flags[k];
            c->flags[k] = f->next;
            known_drop(c, f->known);
            free(f);
        }
    c->has_flags = false;
}

void clocks_forget(struct clocks *c)
{
    for (uint32_t x = 0; x < c->warps; x++) {
        forget_lanes(c, &c->warp[x]);
        changed(&c->warp[x]);
    }
    for (int k = 0; k < BARRIERS; k++)
        drop_all(c, c->barriers[k].clock);
    drop_flags(c);
}

static void publish_lane(struct clocks *c, struct flag *f, uint32_t thread,
                         struct known *k, uint32_t own)
{
    f->stamp = ++c->stamps;
    known_join(c, &f->known, k);
    uint32_t *at = &known_write(c, &f->known)->time[thread];
    *at = *at < own ? own : *at;
}

void clocks_publish(struct clocks *c, uint64_t key, uint32_t warp,
                    uint32_t lanes, bool is_release)
{
    struct warp_clock *w = &c->warp[warp];
    for (uint32_t m = lanes; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        uint32_t thread = warp * WARP_LANES + (uint32_t)i;
        const struct lane_clocks *l = w->has_lanes ? w->lanes : NULL;
        if (is_release) {
            struct known *k =
                whole_known(c, w, l ? l->clock[CLOCK_KNOWN][i] : NULL);
            publish_lane(c, flag_make(c, key), thread, k, c->now);
            known_drop(c, k);
        } else if (l && l->own[CLOCK_FENCED_BLOCK][i] +
                            (l->clock[CLOCK_FENCED_BLOCK][i] != NULL)) {
            publish_lane(c, flag_make(c, key), thread,
                         l->clock[CLOCK_FENCED_BLOCK][i],
                         l->own[CLOCK_FENCED_BLOCK][i]);
        } else {
            continue;
        }
        w->meetings++;
    }
}

void clocks_learn(struct clocks *c, uint64_t key, uint32_t warp, uint32_t lanes,
                  bool is_acquire)
{
    const struct flag *f = c->has_flags ? flag_at(c, key) : NULL;
    struct warp_clock *w = &c->warp[warp];
    if (!f)
        return;
    struct lane_clocks *l = use_lanes(w);
    enum clock_kind kind = is_acquire ? CLOCK_KNOWN : CLOCK_PENDING;
    struct known *joined = NULL, *last = NULL;
    for (uint32_t m = lanes; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        if (l->learnt[kind][i] == f->stamp)
            continue; /* it spins */
        l->learnt[kind][i] = f->stamp;
        w->view = NULL;
        struct known *k = l->clock[kind][i];
        if (!joined || k != last) {
            known_drop(c, joined);
            joined = known_share(k);
            known_join(c, &joined, f->known);
            last = k;
        }
        give_lane(c, l, kind, i, joined);
    }
    known_drop(c, joined);
    if (is_acquire && !(live_lanes(c, warp) & ~lanes))
        fold(c, w, lanes);
}
