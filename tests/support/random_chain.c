/* Chains: making them, and what races in them; see random_chain.h. */
#include "tests/support/random_chain.h"

#include <string.h>

enum { PARTIES = CHAIN_BLOCKS * PROGRAM_THREADS, WORDS = PARTIES / 64 };

/* ---- making ------------------------------------------------------------------ */

static uint32_t below(struct random *r, uint32_t n)
{
    return (uint32_t)random_below(r, n);
}

static bool one_in(struct random *r, uint32_t n)
{
    return below(r, n) == 0;
}

static enum chain_scope some_scope(struct random *r)
{
    return one_in(r, 5) ? SCOPE_OF_BLOCK : (enum chain_scope)(1 + below(r, 2));
}

static void choose_who(const struct chain_program *p, struct chain_step *s,
                       struct random *r)
{
    static const uint32_t masks[] = {0, 0, 1, 31, 32, 127, 127};
    s->mask = masks[below(r, 7)];
    s->k = below(r, p->threads) & s->mask;
    s->blocks = one_in(r, 2) ? 1u << below(r, p->grid) : (1u << p->grid) - 1;
    s->is_branch = one_in(r, 2);
}

static void choose_access(const struct chain_program *p, struct chain_step *s,
                          bool has_adds, bool has_bytes, struct random *r)
{
    s->kind = one_in(r, 2) ? CHAIN_STORE : CHAIN_LOAD;
    s->is_shared = one_in(r, 3);
    s->size = has_bytes && one_in(r, 2) ? 1 + below(r, 2) : 4;
    s->turn = one_in(r, 2) ? 0 : below(r, p->threads);
    if (has_adds && one_in(r, 3)) {
        s->kind = CHAIN_ADD;
        s->scope = some_scope(r);
        s->size = 4;
    }
    if (s->kind == CHAIN_LOAD && !has_adds && one_in(r, 4))
        s->strength = one_in(r, 2) ? IS_VOLATILE : IS_RELAXED;
    choose_who(p, s, r);
}

static struct chain_party some_party(const struct chain_program *p,
                                     struct random *r)
{
    /* few of them, so that chains come about */
    uint32_t thread = one_in(r, 3) ? below(r, p->threads) : 32 * below(r, 2);
    return (struct chain_party){below(r, p->grid), thread % p->threads};
}

static void choose_message(const struct chain_program *p, struct chain_step *s,
                           struct random *r)
{
    static const enum chain_strength ways[] = {
        IS_VOLATILE, IS_RELAXED, IS_ORDERED, IS_ORDERED, IS_ATOMIC};
    s->kind = CHAIN_MESSAGE;
    s->from = some_party(p, r);
    s->to = some_party(p, r);
    s->send = ways[below(r, 5)];
    s->receive = ways[below(r, 5)];
    s->scope = some_scope(r);
    s->receive_scope = some_scope(r);
    s->is_ordered = one_in(r, 2);
    s->is_shared = s->from.block == s->to.block && one_in(r, 2);
}

static void choose_sync(struct chain_program *p, struct chain_step *s,
                        struct random *r)
{
    uint32_t warps = (p->threads + 31) / 32;
    s->kind = one_in(r, 2)   ? CHAIN_LANES
              : one_in(r, 2) ? CHAIN_BARRIER
                             : CHAIN_WARPS;
    s->lanes = one_in(r, 2) ? 0xffffffffu : (uint32_t)random_next(r) | 1;
    s->warps = 1 + below(r, (1u << warps) - 1);
    s->id = 1 + (int)s->warps; /* one number for one set of warps */
}

static void make_any(struct chain_program *p, struct random *r)
{
    static const uint32_t threads[] = {32, 64, 64, 96};
    bool has_adds = one_in(r, 3), has_bytes = one_in(r, 4);
    *p = (struct chain_program){.threads = threads[below(r, 4)],
                                .grid = 1 + below(r, CHAIN_BLOCKS),
                                .ring = one_in(r, 2) ? 127 : 31};
    int wanted = 4 + (int)below(r, CHAIN_STEPS - 8);
    while (p->count < wanted) {
        struct chain_step *s = &p->steps[p->count++];
        *s = (struct chain_step){.kind = CHAIN_FENCE};
        uint32_t what = below(r, 10);
        if (what < 4) {
            choose_access(p, s, has_adds, has_bytes, r);
        } else if (what < 6) {
            choose_message(p, s, r);
        } else if (what < 8) {
            choose_sync(p, s, r);
        } else {
            s->scope = some_scope(r);
            choose_who(p, s, r);
        }
    }
}

void chain_without(struct chain_program *p, int step)
{
    p->count--;
    memmove(&p->steps[step], &p->steps[step + 1],
            (size_t)(p->count - step) * sizeof *p->steps);
}

/* ---- who knows of an access ----------------------------------------------------- */

struct set {
    uint64_t w[WORDS];
};
/* Of one access: who knows of it; who has read of it at a flag of his block, or
 * of another one, without a fence since; who has fenced it, for his block and
 * for all. */
struct state {
    struct set knows, pending, pending_far, fenced_block, fenced_grid;
    bool is_kind; /* what is pending goes along with messages, too: neither
                     asked for nor forbidden */
};

static uint32_t party(uint32_t block, uint32_t thread)
{
    return block * PROGRAM_THREADS + thread;
}
static bool has(const struct set *s, uint32_t x)
{
    return s->w[x / 64] >> (x % 64) & 1;
}
static void put(struct set *s, uint32_t x)
{
    s->w[x / 64] |= 1ull << (x % 64);
}

static bool does(const struct chain_step *s, uint32_t block, uint32_t thread)
{
    return (s->blocks >> block & 1) && (thread & s->mask) == s->k;
}

static bool meets(const struct set *s, const struct set *group)
{
    bool any = false;
    for (int k = 0; k < WORDS; k++)
        any |= (s->w[k] & group->w[k]) != 0;
    return any;
}

static void spread(struct set *s, const struct set *group)
{
    if (meets(s, group))
        for (int k = 0; k < WORDS; k++)
            s->w[k] |= group->w[k];
}

static void spread_all(struct state *t, const struct set *group)
{
    spread(&t->knows, group);
    spread(&t->pending, group);
    spread(&t->pending_far, group);
    spread(&t->fenced_block, group);
    spread(&t->fenced_grid, group);
}

static void pass_barrier(const struct chain_program *p,
                         const struct chain_step *s, struct state *t)
{
    for (uint32_t b = 0; b < p->grid; b++) {
        struct set group = {{0}};
        for (uint32_t k = 0; k < p->threads; k++) {
            bool comes = s->kind == CHAIN_BARRIER ||
                         (s->kind == CHAIN_WARPS ? s->warps >> (k / 32) & 1
                                                 : s->lanes >> (k % 32) & 1);
            if (comes)
                put(&group, party(b, k));
            if (s->kind == CHAIN_LANES && k % 32 == 31) {
                spread_all(t, &group);
                group = (struct set){{0}};
            }
        }
        spread_all(t, &group);
    }
}

static void pass_fence(const struct chain_program *p,
                       const struct chain_step *s, struct state *t)
{
    for (uint32_t b = 0; b < p->grid; b++)
        for (uint32_t k = 0; k < p->threads; k++) {
            uint32_t x = party(b, k);
            if (!does(s, b, k))
                continue;
            if (has(&t->pending, x) ||
                (s->scope != SCOPE_OF_BLOCK && has(&t->pending_far, x)))
                put(&t->knows, x);
            if (!has(&t->knows, x))
                continue;
            put(&t->fenced_block, x);
            if (s->scope != SCOPE_OF_BLOCK)
                put(&t->fenced_grid, x);
        }
}

static bool is_ordered(const struct chain_step *s, enum chain_strength way)
{
    return way == IS_ORDERED || (way == IS_ATOMIC && s->is_ordered);
}

/* Volatile accesses are of the whole system's scope. */
static bool is_wide(enum chain_strength way, enum chain_scope scope)
{
    return way == IS_VOLATILE || scope != SCOPE_OF_BLOCK;
}

static bool is_pending(const struct state *t, uint32_t x)
{
    return has(&t->pending, x) || has(&t->pending_far, x);
}

static void pass_message(const struct chain_step *s, struct state *t)
{
    uint32_t from = party(s->from.block, s->from.thread),
             to = party(s->to.block, s->to.thread);
    bool here = s->from.block == s->to.block;
    bool fits = here || (is_wide(s->send, s->scope) &&
                         is_wide(s->receive, s->receive_scope));
    bool sent = has(here ? &t->fenced_block : &t->fenced_grid, from) ||
                (is_ordered(s, s->send) && has(&t->knows, from));
    bool hinted = t->is_kind && is_pending(t, from);
    struct set *pending = here ? &t->pending : &t->pending_far;
    if (fits && (sent || hinted))
        put(is_ordered(s, s->receive) && sent ? &t->knows : pending, to);
    if (fits && hinted)
        put(&t->knows, to);
}

/* ---- pairs -------------------------------------------------------------------------- */

static bool is_access(const struct chain_step *s)
{
    return s->kind <= CHAIN_ADD;
}

static uint32_t place(const struct chain_program *p, const struct chain_step *s,
                      uint32_t thread)
{
    uint32_t ring = s->size < 4 ? p->ring : p->ring >> 2;
    return ((thread ^ s->turn) & ring) * s->size;
}

static bool needs_order(const struct chain_step *a, uint32_t a_block,
                        const struct chain_step *b, uint32_t b_block)
{
    if (a->is_shared != b->is_shared || (a->is_shared && a_block != b_block) ||
        (a->kind == CHAIN_LOAD && b->kind == CHAIN_LOAD))
        return false;
    if (a->kind == CHAIN_ADD && b->kind == CHAIN_ADD)
        return a_block != b_block &&
               (a->scope == SCOPE_OF_BLOCK || b->scope == SCOPE_OF_BLOCK);
    return true;
}

/* What thread y's access b, made later, is to the one of the state. */
static enum verdict_of_pair verdict(const struct state *sure,
                                    const struct state *kind, uint32_t y,
                                    const struct chain_step *b)
{
    bool is_strong = b->kind == CHAIN_LOAD && b->strength != IS_WEAK;
    if (has(&sure->knows, y) || (is_strong && is_pending(sure, y)))
        return PAIR_FINE;
    return has(&kind->knows, y) || is_pending(kind, y) ? PAIR_MAY : PAIR_RACES;
}

struct access {
    int step;
    uint32_t block, thread;
};

static void note(struct oracle *o, int a, int b, enum verdict_of_pair v)
{
    if (o->pair[a][b] < v)
        o->pair[a][b] = o->pair[b][a] = v;
    o->is_racy |= v == PAIR_RACES;
}

static void compare(const struct chain_program *p, struct oracle *o,
                    const struct access *a, const struct state *sure,
                    const struct state *kind, int step)
{
    const struct chain_step *x = &p->steps[a->step], *y = &p->steps[step];
    uint32_t at = place(p, x, a->thread);
    for (uint32_t b = 0; b < p->grid; b++)
        for (uint32_t k = 0; k < p->threads; k++) {
            uint32_t other = place(p, y, k);
            bool overlaps = other < at + x->size && at < other + y->size;
            if (overlaps && does(y, b, k) && needs_order(x, a->block, y, b))
                note(o, a->step, step, verdict(sure, kind, party(b, k), y));
        }
}

static void pass(const struct chain_program *p, const struct chain_step *s,
                 struct state *t)
{
    switch (s->kind) {
    case CHAIN_FENCE: pass_fence(p, s, t); break;
    case CHAIN_MESSAGE: pass_message(s, t); break;
    case CHAIN_BARRIER:
    case CHAIN_WARPS:
    case CHAIN_LANES: pass_barrier(p, s, t); break;
    default: break;
    }
}

static void follow(const struct chain_program *p, struct oracle *o,
                   const struct access *a)
{
    struct state sure = {.is_kind = false}, kind = {.is_kind = true};
    put(&sure.knows, party(a->block, a->thread));
    kind.knows = sure.knows;
    for (int j = a->step; j < p->count; j++) {
        if (is_access(&p->steps[j]))
            compare(p, o, a, &sure, &kind, j);
        pass(p, &p->steps[j], &sure);
        pass(p, &p->steps[j], &kind);
    }
}

void chain_judge(const struct chain_program *p, struct oracle *o)
{
    memset(o, 0, sizeof *o);
    for (int k = 0; k < p->count; k++) {
        const struct chain_step *s = &p->steps[k];
        if (s->kind == CHAIN_MESSAGE) /* the flag itself */
            o->pair[k][k] = PAIR_MAY;
        if (!is_access(s))
            continue;
        for (uint32_t b = 0; b < p->grid; b++)
            for (uint32_t t = 0; t < p->threads; t++)
                if (does(s, b, t))
                    follow(p, o, &(struct access){k, b, t});
    }
}

/* One of two accesses that race goes, until none is left. */
static void calm(struct chain_program *p, struct random *r)
{
    static _Thread_local struct oracle o;
    for (;;) {
        int step = -1;
        chain_judge(p, &o);
        for (int a = 0; a < p->count && step < 0; a++)
            for (int b = a; b < p->count && step < 0; b++)
                if (o.pair[a][b] == PAIR_RACES)
                    step = one_in(r, 2) ? a : b;
        if (step < 0)
            return;
        chain_without(p, step);
    }
}

void chain_make(struct chain_program *p, struct random *r)
{
    make_any(p, r);
    if (!one_in(r, 3))
        calm(p, r);
    if (one_in(r, 3) && p->count > 1) /* perhaps that one mattered */
        chain_without(p, (int)below(r, (uint32_t)p->count));
}
