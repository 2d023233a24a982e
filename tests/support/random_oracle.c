/* Which operations of a random program race?
 *
 * A step is an operation in one turn of the loop.  Access (a, i) of thread a
 * in step i is ordered before (b, j) if a chain of synchronising steps
 * between i and j leads from a to b.  So from each access on we carry the set
 * of threads that know of it: a barrier spreads it to all who take part.
 * Blocks are never ordered. */
#include "tests/support/random_program.h"
#include <string.h>

struct set {
    uint64_t w[PROGRAM_THREADS / 64];
};
enum { WORDS = PROGRAM_THREADS / 64 };

static bool set_has(const struct set *s, uint32_t t)
{
    return s->w[t / 64] >> (t % 64) & 1;
}
static void set_put(struct set *s, uint32_t t)
{
    s->w[t / 64] |= 1ull << (t % 64);
}
static bool set_meets(const struct set *a, const struct set *b)
{
    return (a->w[0] & b->w[0]) | (a->w[1] & b->w[1]);
}
static void set_join(struct set *a, const struct set *b)
{
    for (int k = 0; k < WORDS; k++)
        a->w[k] |= b->w[k];
}

/* ---- steps ------------------------------------------------------------------- */

enum { GROUPS = 64 };
struct step {
    int op;
    uint32_t turn;
    struct set who, alive;
    /* synchronising: who of `from` knew of it, all of `to` know it after */
    int groups;
    struct set from[GROUPS], to[GROUPS];
    /* accesses: first byte by thread, and the threads by byte */
    uint32_t at[PROGRAM_THREADS];
    struct set touch[PROGRAM_BYTES];
};
struct steps {
    const struct random_program *p;
    int count;
    bool has_twin[PROGRAM_OPS]; /* an unordered store of the same value */
    struct step s[PROGRAM_STEPS];
};

static struct set warps_of(const struct set *alive, uint32_t warps)
{
    struct set s = {{0}};
    for (uint32_t t = 0; t < PROGRAM_THREADS; t++)
        if (warps >> (t / 32) & 1 && set_has(alive, t))
            set_put(&s, t);
    return s;
}

static void add_group(struct step *s, struct set from, struct set to)
{
    s->from[s->groups] = from;
    s->to[s->groups++] = to;
}

static void warp_groups(struct step *s, const struct operation *op,
                        const struct set *alive)
{
    uint32_t size = op->kind == DO_WARP_GROUPS ? op->size : 32;
    for (uint32_t first = 0; first < PROGRAM_THREADS; first += size) {
        struct set g = {{0}};
        for (uint32_t t = first; t < first + size; t++)
            if (set_has(alive, t) &&
                (op->kind == DO_WARP_GROUPS || op->mask >> (t % 32) & 1))
                set_put(&g, t);
        add_group(s, g, g);
    }
}

static void fill_sync(struct step *s, const struct operation *op,
                      const struct set *alive)
{
    struct set a, b;
    switch (op->kind) {
    case DO_BARRIER: add_group(s, *alive, *alive); break;
    case DO_BARRIER_OF:
        a = warps_of(alive, op->warps);
        add_group(s, a, a);
        break;
    case DO_ARRIVE:
        a = warps_of(alive, op->warps | op->others);
        b = warps_of(alive, op->others);
        add_group(s, a, b);
        break;
    default: warp_groups(s, op, alive); break;
    }
}

static void fill_access(const struct random_program *p, struct step *s,
                        const struct operation *op)
{
    memset(s->touch, 0, sizeof s->touch);
    for (uint32_t t = 0; t < p->threads; t++) {
        if (!set_has(&s->who, t))
            continue;
        s->at[t] = op_address(p, op, t, s->turn);
        for (uint32_t k = 0; k < op->size; k++)
            set_put(&s->touch[s->at[t] + k], t);
    }
}

static void add_step(struct steps *all, int index, uint32_t turn,
                     struct set *alive)
{
    const struct operation *op = &all->p->ops[index];
    struct step *s = &all->s[all->count++];
    s->op = index;
    s->turn = turn;
    s->groups = 0;
    s->who = (struct set){{0}};
    s->alive = *alive;
    for (uint32_t t = 0; t < all->p->threads; t++)
        if (set_has(alive, t) && op_does(op, t))
            set_put(&s->who, t);
    if (op->kind == DO_LEAVE)
        for (int k = 0; k < WORDS; k++)
            alive->w[k] &= ~s->who.w[k];
    else if (op_is_sync(op))
        fill_sync(s, op, alive);
    else if (op_is_access(op))
        fill_access(all->p, s, op);
}

static void unroll(struct steps *all)
{
    const struct random_program *p = all->p;
    struct set alive = {{0}};
    for (uint32_t t = 0; t < p->threads; t++)
        set_put(&alive, t);
    for (int k = 0; k < p->loop_from; k++)
        add_step(all, k, 0, &alive);
    for (int turn = 0; turn < p->turns; turn++)
        for (int k = p->loop_from; k < p->loop_to; k++)
            add_step(all, k, (uint32_t)turn, &alive);
    for (int k = p->loop_to; k < p->count; k++)
        add_step(all, k, 0, &alive);
}

/* ---- pairs -------------------------------------------------------------------- */

static bool conflict(const struct operation *a, const struct operation *b)
{
    if (a->space != b->space || (!op_is_write(a) && !op_is_write(b)))
        return false;
    return a->kind != DO_ATOMIC_ADD || b->kind != DO_ATOMIC_ADD;
}

static void note(struct oracle *o, int a, int b, enum verdict_of_pair v)
{
    if (o->pair[a][b] < v)
        o->pair[a][b] = o->pair[b][a] = v;
    o->is_racy |= v == PAIR_RACES;
}

static bool is_store(const struct operation *op)
{
    return op->kind == DO_STORE_OWN || op->kind == DO_STORE_SAME;
}

/* Byte `at` of what is stored: vectors hold the value in each word. */
static uint32_t byte_at(const struct operation *op, uint32_t value, uint32_t at)
{
    if (op->size == 8 && !op->is_vector && at >= 4)
        return 0;
    return value >> 8 * (at % 4) & 0xff;
}

/* Do the two stores agree about all bytes that both write? */
static bool same_bytes(const struct operation *x, uint32_t x_at, uint32_t v,
                       const struct operation *y, uint32_t y_at, uint32_t w)
{
    for (uint32_t k = 0; k < x->size; k++) {
        uint32_t other = x_at + k - y_at;
        if (other < y->size && byte_at(x, v, k) != byte_at(y, w, other))
            return false;
    }
    return true;
}

/* Two stores of one value harm nobody.  Whoever looks at one word's last
 * store only can then miss what the other store races with: not held against
 * him. */
static enum verdict_of_pair judge(struct steps *all, const struct step *i,
                                  uint32_t a, const struct step *j, uint32_t b,
                                  uint32_t block_b)
{
    const struct operation *x = &all->p->ops[i->op], *y = &all->p->ops[j->op];
    if (is_store(x) && is_store(y)) {
        uint32_t v = op_value(x, i->op, i->turn, 0, a);
        uint32_t w = op_value(y, j->op, j->turn, block_b, b);
        if (same_bytes(x, i->at[a], v, y, j->at[b], w)) {
            all->has_twin[i->op] = all->has_twin[j->op] = true;
            return x->size <= 4 && y->size <= 4 ? PAIR_FINE : PAIR_MAY;
        }
    }
    return PAIR_RACES;
}

static void compare(struct steps *all, struct oracle *o, const struct step *i,
                    uint32_t a, const struct step *j, const struct set *others,
                    bool has_ended, uint32_t block_b)
{
    for (uint32_t b = 0; b < all->p->threads; b++) {
        if (!set_has(others, b))
            continue;
        enum verdict_of_pair v = judge(all, i, a, j, b, block_b);
        note(o, i->op, j->op, has_ended && v == PAIR_RACES ? PAIR_MAY : v);
    }
}

static struct set touching(const struct step *j, uint32_t at, uint32_t size)
{
    struct set s = {{0}};
    for (uint32_t k = 0; k < size; k++)
        set_join(&s, &j->touch[at + k]);
    return s;
}

/* Inside a block: from thread a's access in step i on. */
static void follow(struct steps *all, struct oracle *o, int i, uint32_t a)
{
    const struct operation *x = &all->p->ops[all->s[i].op];
    struct set knows = {{0}};
    set_put(&knows, a);
    for (int j = i; j < all->count; j++) {
        const struct step *s = &all->s[j];
        for (int g = 0; g < s->groups; g++)
            if (set_meets(&knows, &s->from[g]))
                set_join(&knows, &s->to[g]);
        const struct operation *y = &all->p->ops[s->op];
        if (!op_is_access(y) || !conflict(x, y))
            continue;
        struct set others = touching(s, all->s[i].at[a], x->size);
        for (int k = 0; k < WORDS; k++)
            others.w[k] &= ~knows.w[k];
        compare(all, o, &all->s[i], a, s, &others, !set_has(&s->alive, a), 0);
    }
}

/* Between blocks. */
static void across(struct steps *all, struct oracle *o, int i, uint32_t a)
{
    const struct operation *x = &all->p->ops[all->s[i].op];
    if (all->p->grid < 2 || x->space != IN_ALL)
        return;
    for (int j = 0; j < all->count; j++) {
        const struct step *s = &all->s[j];
        const struct operation *y = &all->p->ops[s->op];
        if (!op_is_access(y) || !conflict(x, y))
            continue;
        struct set others = touching(s, all->s[i].at[a], x->size);
        compare(all, o, &all->s[i], a, s, &others, false, 1);
    }
}

/* A store with a twin hides it, and what the twin races with may be told or
 * not. */
static void soften(const struct steps *all, struct oracle *o)
{
    int count = all->p->count;
    o->is_racy = false;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++) {
            if (o->pair[a][b] == PAIR_RACES &&
                (all->has_twin[a] || all->has_twin[b]))
                o->pair[a][b] = PAIR_MAY;
            o->is_racy |= o->pair[a][b] == PAIR_RACES;
        }
}

void oracle_judge(const struct random_program *p, struct oracle *o)
{
    static _Thread_local struct steps all;
    all.p = p;
    all.count = 0;
    memset(all.has_twin, 0, sizeof all.has_twin);
    memset(o, 0, sizeof *o);
    unroll(&all);
    for (int i = 0; i < all.count; i++) {
        if (!op_is_access(&p->ops[all.s[i].op]))
            continue;
        for (uint32_t a = 0; a < p->threads; a++)
            if (set_has(&all.s[i].who, a)) {
                follow(&all, o, i, a);
                across(&all, o, i, a);
            }
    }
    soften(&all, o);
}
