/* Lessons of a block; see race_lessons.h. */
#include "watch/race_lessons.h"

#include "base/arena.h"

#include <stdlib.h>

/* Lanes had the post up to a version, at that time. */
struct step {
    uint64_t up_to;
    uint32_t time, lanes;
    uint32_t meetings; /* of the warp, then */
};
struct lesson {
    struct post *post;
    uint32_t warp;
    bool fenced;
    struct step *steps; /* by rising time */
    int count, capacity;
};

void lessons_begin(struct lessons *l)
{
    for (int k = 0; k < l->count; k++)
        free(l->items[k].steps);
    l->count = 0;
}

void lessons_free(struct lessons *l)
{
    lessons_begin(l);
    free(l->items);
}

static struct lesson *lesson_of(struct lessons *l, struct post *post,
                                uint32_t warp, bool fenced)
{
    for (int k = 0; k < l->count; k++)
        if (l->items[k].post == post && l->items[k].warp == warp &&
            l->items[k].fenced == fenced)
            return &l->items[k];
    if (l->count == l->capacity) {
        l->capacity = 2 * l->capacity + 4;
        l->items =
            checked_realloc(l->items, (size_t)l->capacity * sizeof *l->items);
    }
    l->items[l->count] =
        (struct lesson){.post = post, .warp = warp, .fenced = fenced};
    return &l->items[l->count++];
}

static void add_step(struct lesson *l, struct step step)
{
    struct step *last = l->count ? &l->steps[l->count - 1] : NULL;
    bool same_lanes = last && !(step.lanes & ~last->lanes);
    if (same_lanes && last->up_to >= step.up_to)
        return; /* a flag that is polled, and nothing new */
    if (last && last->lanes == step.lanes && last->meetings == step.meetings) {
        *last = step; /* nobody else has seen the last one */
        return;
    }
    if (!l->steps || l->count == l->capacity) {
        l->capacity = 2 * l->capacity + 2;
        l->steps =
            checked_realloc(l->steps, (size_t)l->capacity * sizeof *l->steps);
    }
    l->steps[l->count++] = step;
}

void lessons_add(struct lessons *all, struct post *post, uint32_t warp,
                 uint32_t lanes, uint32_t time, uint32_t meetings, bool fenced)
{
    struct step step = {.up_to = post_version(post),
                        .time = time,
                        .lanes = lanes,
                        .meetings = meetings};
    add_step(lesson_of(all, post, warp, fenced), step);
}

/* ---- who knows a lesson ------------------------------------------------------- */

static bool knows_step(const struct lesson *l, const struct step *s,
                       const struct view *v, uint32_t lane)
{
    if (s->time <= v->seen[l->warp] ||
        (l->warp == v->warp && (s->lanes >> lane & 1)))
        return true;
    for (uint32_t m = v->lanes ? s->lanes : 0; m; m &= m - 1) {
        uint32_t thread = l->warp * WARP_LANES + (uint32_t)__builtin_ctz(m);
        if (view_orders(v, s->time, thread, lane, false))
            return true;
    }
    return false;
}

/* How far the lane has the post; 0 nothing. */
static uint64_t known_up_to(const struct lesson *l, const struct view *v,
                            uint32_t lane)
{
    uint64_t up_to = 0;
    for (int k = l->count - 1; k >= 0; k--)
        if (l->steps[k].up_to > up_to && knows_step(l, &l->steps[k], v, lane))
            up_to = l->steps[k].up_to;
    return up_to;
}

/* One that is not fenced: the lanes that know it, by how far. */
static void fence_lesson(struct lessons *all, int index, const struct view *v,
                         uint32_t lanes, uint32_t time, uint32_t meetings)
{
    uint64_t far[WARP_LANES];
    uint32_t rest = 0;
    for (uint32_t m = lanes; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        far[i] = known_up_to(&all->items[index], v, (uint32_t)i);
        rest |= (uint32_t)(far[i] != 0) << i;
    }
    while (rest) {
        uint64_t up_to = far[__builtin_ctz(rest)];
        struct step step = {.up_to = up_to, .time = time, .meetings = meetings};
        for (uint32_t m = rest; m; m &= m - 1)
            if (far[__builtin_ctz(m)] == up_to)
                step.lanes |= m & -m;
        rest &= ~step.lanes;
        add_step(lesson_of(all, all->items[index].post, v->warp, true), step);
    }
}

void lessons_fence(struct lessons *all, const struct view *v, uint32_t lanes,
                   uint32_t time, uint32_t meetings)
{
    for (int k = 0, count = all->count; k < count; k++)
        if (!all->items[k].fenced)
            fence_lesson(all, k, v, lanes, time, meetings);
}

enum knowledge lessons_know(const struct lessons *all, struct posts *posts,
                            const struct view *v, uint32_t lane, uint64_t block,
                            uint32_t thread, uint32_t time)
{
    enum knowledge best = UNKNOWN;
    for (int k = all->count - 1; k >= 0 && best != LEARNT; k--) {
        const struct lesson *l = &all->items[k];
        uint64_t up_to = best < (l->fenced ? LEARNT : UNFENCED)
                             ? known_up_to(l, v, lane)
                             : 0;
        if (up_to && post_covers(posts, l->post, up_to, block, thread, time))
            best = l->fenced ? LEARNT : UNFENCED;
    }
    return best;
}

bool lessons_have_store(const struct lessons *all, const struct post *post,
                        const struct view *v, uint32_t lane, uint64_t block,
                        uint32_t time)
{
    for (int k = all->count - 1; k >= 0; k--) {
        const struct lesson *l = &all->items[k];
        uint64_t up_to = l->post == post ? known_up_to(l, v, lane) : 0;
        if (up_to && post_has_store(post, up_to, block, time))
            return true;
    }
    return false;
}

void lessons_pass_on(const struct lessons *all, struct post *to,
                     const uint32_t *time)
{
    for (int k = 0; k < all->count; k++) {
        const struct lesson *l = &all->items[k];
        uint64_t up_to = 0;
        for (int s = 0; s < l->count; s++)
            for (uint32_t m = l->steps[s].lanes; m; m &= m - 1)
                if (l->steps[s].up_to > up_to &&
                    l->steps[s].time <=
                        time[l->warp * WARP_LANES + (uint32_t)__builtin_ctz(m)])
                    up_to = l->steps[s].up_to;
        if (l->fenced && l->post != to && up_to)
            post_add_source(to, l->post, up_to);
    }
}
