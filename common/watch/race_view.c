/* Looking at the clocks of a block, now or as they were; and their begin and
 * end.  See race_clock.h. */
#include "watch/race_clock.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* ---- begin and end ---------------------------------------------------------- */

void clocks_init(struct clocks *c, uint32_t threads)
{
    c->threads = threads;
    c->warps = (threads + WARP_LANES - 1) / WARP_LANES;
}

void clocks_begin(struct clocks *c)
{
    uint32_t rest = c->threads % WARP_LANES;
    clocks_forget(c);
    c->settled = ++c->now;
    for (uint32_t x = 0; x < c->warps; x++) {
        struct warp_clock *w = &c->warp[x];
        for (uint32_t y = 0; y < c->warps; y++)
            w->seen[y] = c->now;
        w->low = c->now;
        w->last = 0;
        c->gone[x] = 0;
    }
    if (rest) /* lanes that never were */
        c->gone[c->warps - 1] = ~((1u << rest) - 1);
    for (int k = 0; k < BARRIERS; k++)
        c->barriers[k].open = false;
}

void clocks_free(struct clocks *c)
{
    clocks_forget(c);
    clocks_drop_kept(c);
    for (uint32_t x = 0; x < c->warps; x++)
        free(c->warp[x].lanes);
    while (c->free) {
        struct known *k = c->free;
        c->free = k->next_free;
        free(k);
    }
}

/* ---- views -------------------------------------------------------------------- */

struct view clocks_view(const struct clocks *c, uint32_t warp)
{
    const struct warp_clock *w = &c->warp[warp];
    return (struct view){.warp = warp,
                         .low = w->low,
                         .seen = w->seen,
                         .lanes = w->has_lanes ? w->lanes : NULL};
}

const struct view *clocks_keep(struct clocks *c, uint32_t warp)
{
    struct warp_clock *w = &c->warp[warp];
    if (w->view)
        return w->view;
    size_t head = sizeof(struct view) + MAX_WARPS * sizeof(uint32_t);
    size_t lanes = w->has_lanes ? sizeof(struct lane_clocks) : 0;
    struct view *v = checked_alloc(head + lanes);
    uint32_t *seen = (uint32_t *)(v + 1);
    *v = clocks_view(c, warp);
    memcpy(seen, w->seen, c->warps * sizeof *seen);
    v->seen = seen;
    if (lanes) {
        struct lane_clocks *l = (struct lane_clocks *)((char *)v + head);
        *l = *w->lanes;
        for (int kind = 0; kind < CLOCKS; kind++)
            for (int i = 0; i < WARP_LANES; i++)
                if (l->clock[kind][i])
                    l->clock[kind][i]->users++;
        v->lanes = l;
    }
    v->next = c->kept;
    return c->kept = w->view = v;
}

void clocks_drop_kept(struct clocks *c)
{
    for (uint32_t x = 0; x < c->warps; x++)
        c->warp[x].view = NULL;
    while (c->kept) {
        struct view *v = c->kept;
        c->kept = v->next;
        for (int kind = 0; kind < CLOCKS && v->lanes; kind++)
            for (int i = 0; i < WARP_LANES; i++)
                known_drop(c, v->lanes->clock[kind][i]);
        free(v);
    }
}

bool view_orders(const struct view *v, uint32_t time, uint32_t thread,
                 uint32_t lane, bool is_strong)
{
    if (thread == v->warp * WARP_LANES + lane ||
        time <= v->seen[thread / WARP_LANES])
        return true;
    if (!v->lanes)
        return false;
    const struct known *k = v->lanes->clock[CLOCK_KNOWN][lane];
    const struct known *p = v->lanes->clock[CLOCK_PENDING][lane];
    return (k && time <= k->time[thread]) ||
           (is_strong && p && time <= p->time[thread]);
}

uint32_t view_before(const struct view *v, uint32_t time, uint32_t warp,
                     uint32_t past, uint32_t lanes)
{
    if (time <= v->seen[warp])
        return past;
    uint32_t before = warp == v->warp ? past & lanes : 0, knowing = 0;
    for (uint32_t m = v->lanes ? lanes : 0; m; m &= m - 1)
        if (v->lanes->clock[CLOCK_KNOWN][__builtin_ctz(m)])
            knowing |= m & -m;
    if (!knowing)
        return before;
    for (uint32_t m = past & ~before; m; m &= m - 1) {
        uint32_t thread = warp * WARP_LANES + (uint32_t)__builtin_ctz(m);
        for (uint32_t o = knowing; o; o &= o - 1)
            if (view_orders(v, time, thread, (uint32_t)__builtin_ctz(o),
                            false)) {
                before |= m & -m;
                break;
            }
    }
    return before;
}

static void raise_to(uint32_t *time, const struct known *k, uint32_t threads)
{
    for (uint32_t t = 0; k && t < threads; t++)
        time[t] = time[t] < k->time[t] ? k->time[t] : time[t];
}

void view_fenced(const struct view *v, const struct clocks *c, uint32_t lane,
                 bool all, uint32_t now, uint32_t *time)
{
    const struct lane_clocks *l = v->lanes;
    uint32_t thread = v->warp * WARP_LANES + lane, own = now;
    if (all) {
        if (l)
            raise_to(time, l->clock[CLOCK_KNOWN][lane], c->threads);
        for (uint32_t t = 0; t < c->threads; t++)
            if (time[t] < v->seen[t / WARP_LANES])
                time[t] = v->seen[t / WARP_LANES];
    } else {
        own = l ? l->own[CLOCK_FENCED_GRID][lane] : 0;
        if (!own && !(l && l->clock[CLOCK_FENCED_GRID][lane]))
            return;
        raise_to(time, l->clock[CLOCK_FENCED_GRID][lane], c->threads);
    }
    time[thread] = time[thread] < own ? own : time[thread];
}
