/* Pasts of a word; see race_past.h. */
#include "watch/race_past.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOOK_BACK = 64,  /* so many pasts are tried when one is added */
    MOST_WRITES = 64 /* unordered stores of one value: the last ones are kept */
};

enum past_kind past_kind_of(enum role role)
{
    return role == ROLE_WRITE    ? PAST_WRITE
           : role == ROLE_ATOMIC ? PAST_ATOMIC
                                 : PAST_READ;
}

struct past *past_items(struct past_set *s)
{
    return s->capacity ? s->many : &s->one;
}

void past_free(struct past_set *s)
{
    if (s->capacity)
        free(s->many);
    s->count = s->capacity = 0;
}

void past_remove(struct past_set *s, uint32_t at)
{
    struct past *items = past_items(s);
    s->count--;
    memmove(&items[at], &items[at + 1], (s->count - at) * sizeof *items);
}

void past_push(struct past_set *s, const struct past *p)
{
    uint32_t room = s->capacity ? s->capacity : 1;
    if (s->count == room) {
        struct past *many = checked_alloc(4 * room * sizeof *many);
        memcpy(many, past_items(s), s->count * sizeof *many);
        if (s->capacity)
            free(s->many);
        s->many = many;
        s->capacity = 4 * room;
    }
    past_items(s)[s->count++] = *p;
}

void past_settle(struct past_set *s, uint32_t settled)
{
    for (uint32_t k = s->count; k-- > 0;)
        if (past_items(s)[k].time <= settled)
            past_remove(s, k);
}

static bool same_access(const struct past *a, const struct past *b)
{
    return a->time == b->time && a->warp == b->warp && a->insn == b->insn &&
           a->bytes == b->bytes && a->value == b->value;
}

/* The lanes of an old past that need not be remembered any more.  It is
 * allowed to forget too few: `well` is slower and forgets all. */
static uint32_t outdated(const struct now *now, const struct past *old,
                         bool well)
{
    const struct past *p = &now->past;
    if (old->time <= now->settled)
        return old->lanes;
    if (old->traits != p->traits || (old->bytes & ~p->bytes) ||
        old->is_store != p->is_store)
        return 0;
    if (!well && old->time > now->view->seen[old->warp])
        return old->warp == p->warp ? old->lanes & p->lanes : 0;
    return view_before(now->view, old->time, old->warp, old->lanes, p->lanes);
}

void past_add(struct past_set *s, const struct now *now)
{
    const struct past *p = &now->past;
    bool well = s->count >= PAST_MANY && (s->count & (s->count - 1)) == 0;
    uint32_t from = s->count > LOOK_BACK ? s->count - LOOK_BACK : 0;
    for (uint32_t k = s->count; k-- > from;) {
        struct past *old = &past_items(s)[k];
        if (old->block != p->block)
            continue;
        if (same_access(old, p)) {
            old->lanes |= p->lanes;
            return;
        }
        bool is_same = old->warp == p->warp && old->lanes == p->lanes;
        old->lanes &= ~outdated(now, old, well);
        if (old->lanes)
            continue;
        past_remove(s, k);
        if (is_same && !well)
            break; /* it did the same for those before it */
    }
    if (now->role == ROLE_WRITE && s->count >= MOST_WRITES)
        past_remove(s, 0);
    past_push(s, p);
}

bool past_conflicts(const struct now *now, enum past_kind kind,
                    const struct past *old)
{
    enum role role = now->role;
    bool is_strong = now->past.traits & TRAIT_STRONG;
    if (!(old->bytes & now->past.bytes))
        return false;
    switch (kind) {
    case PAST_WRITE:
        return role != ROLE_FLAG_READ || !(old->traits & TRAIT_FLAG);
    case PAST_READ:
        if (role == ROLE_ATOMIC)
            return !(old->traits & (TRAIT_FLAG | TRAIT_STRONG));
        return role == ROLE_WRITE &&
               !((now->past.traits & TRAIT_FLAG) && (old->traits & TRAIT_FLAG));
    default: return (role == ROLE_READ && !is_strong) || role == ROLE_WRITE;
    }
}

bool past_agrees(const struct past *a, const struct past *b)
{
    uint32_t mask = 0, both = a->bytes & b->bytes;
    for (int k = 0; k < 4; k++)
        mask |= both >> k & 1 ? 0xffu << 8 * k : 0;
    return a->has_value && b->has_value && !((a->value ^ b->value) & mask);
}

bool past_pair(const struct now *now, const struct past *old,
               uint32_t *past_lane, uint32_t *lane)
{
    const struct view *v = now->view;
    bool is_strong = now->past.traits & TRAIT_STRONG;
    if (old->time <= v->seen[old->warp])
        return false;
    for (uint32_t m = now->past.lanes; m; m &= m - 1)
        for (uint32_t o = old->lanes; o; o &= o - 1) {
            uint32_t x = (uint32_t)__builtin_ctz(m),
                     y = (uint32_t)__builtin_ctz(o);
            uint32_t thread = (uint32_t)old->warp * WARP_LANES + y;
            if (view_orders(v, old->time, thread, x, is_strong))
                continue;
            *past_lane = y;
            *lane = x;
            return true;
        }
    return false;
}
