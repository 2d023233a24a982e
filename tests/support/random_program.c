/* Making random programs, and spoiling them. */
#include "tests/support/random_program.h"
#include <string.h>

/* ---- what an operation is ------------------------------------------------------ */

bool op_is_access(const struct operation *op)
{
    return op->kind <= DO_ATOMIC_ADD;
}

bool op_is_write(const struct operation *op)
{
    return op_is_access(op) && op->kind != DO_LOAD;
}

bool op_is_sync(const struct operation *op)
{
    return op->kind >= DO_BARRIER && op->kind <= DO_WARP_LANES;
}

bool op_does(const struct operation *op, uint32_t tid)
{
    uint32_t k = op->who_k;
    switch (op->who) {
    case WHO_BELOW: return tid < k;
    case WHO_FROM: return tid >= k;
    case WHO_MASKED: return (tid & op->who_mask) == k;
    case WHO_WARP: return tid / 32 == k;
    case WHO_LANES: return tid % 32 < k;
    case WHO_ONE: return tid == k;
    default: return true;
    }
}

uint32_t op_address(const struct random_program *p, const struct operation *op,
                    uint32_t tid, uint32_t turn)
{
    uint32_t k = op->where_k, slot = 0;
    switch (op->where) {
    case WHERE_PLUS: slot = tid + k; break;
    case WHERE_MINUS: slot = k - tid; break;
    case WHERE_XOR: slot = tid ^ k; break;
    case WHERE_SHIFT: slot = tid >> k; break;
    case WHERE_TIMES: slot = tid * k; break;
    case WHERE_PLACE: slot = k; break;
    default: slot = (tid % 32) * 4 + tid / 32; break;
    }
    slot += op->where_step * turn;
    return (slot & (p->bytes / op->size - 1)) * op->size;
}

uint32_t op_value(const struct operation *op, int index, uint32_t turn,
                  uint32_t block, uint32_t tid)
{
    if (op->kind == DO_STORE_SAME)
        return 7;
    return tid + 256 * (uint32_t)index + 8192 * turn + 65536 * block + 100;
}

/* ---- single operations ----------------------------------------------------------- */

static uint32_t below(struct random *r, uint32_t n)
{
    return (uint32_t)random_below(r, n);
}

static bool one_in(struct random *r, uint32_t n)
{
    return below(r, n) == 0;
}

static uint32_t warps_in(const struct random_program *p)
{
    return (p->threads + 31) / 32;
}

static void choose_who(const struct random_program *p, struct operation *op,
                       struct random *r)
{
    static const uint32_t masks[] = {1, 3, 16, 31, 32, 48};
    op->who = one_in(r, 2) ? WHO_ALL : (enum who_kind)below(r, WHO_KINDS);
    op->who_mask = masks[below(r, 6)];
    op->is_branch = one_in(r, 2);
    switch (op->who) {
    case WHO_MASKED: op->who_k = below(r, 64) & op->who_mask; break;
    case WHO_WARP: op->who_k = below(r, warps_in(p)); break;
    case WHO_LANES: op->who_k = 1 + below(r, 31); break;
    default: op->who_k = below(r, p->threads); break;
    }
}

static void choose_where(const struct random_program *p, struct operation *op,
                         struct random *r)
{
    op->where =
        one_in(r, 2) ? WHERE_PLUS : (enum where_kind)below(r, WHERE_KINDS);
    op->where_k = one_in(r, 3) ? 0 : below(r, p->threads);
    if (op->where == WHERE_SHIFT)
        op->where_k = below(r, 6);
    if (op->where == WHERE_TIMES)
        op->where_k = 1 + below(r, 4);
    op->where_step = one_in(r, 3) ? below(r, 33) : 0;
}

/* What all accesses of a program agree on. */
struct style {
    bool has_bytes, has_vectors, has_atomics, has_fences, has_leaving;
};

static void choose_access(const struct random_program *p,
                          const struct style *style, struct operation *op,
                          struct random *r)
{
    op->kind = one_in(r, 3)          ? DO_STORE_OWN
               : one_in(r, 6)        ? DO_STORE_SAME
               : !style->has_atomics ? DO_LOAD
               : one_in(r, 2)        ? DO_ATOMIC_ADD
                                     : DO_LOAD;
    op->space = one_in(r, 4) ? IN_ALL : one_in(r, 5) ? IN_PART : IN_BLOCK;
    op->size = 4;
    if (op->kind != DO_ATOMIC_ADD && style->has_bytes && one_in(r, 2))
        op->size = 1 + below(r, 2);
    if (op->kind != DO_ATOMIC_ADD && style->has_vectors && one_in(r, 3)) {
        op->size = one_in(r, 2) ? 8 : 16;
        op->is_vector = op->size == 16 || one_in(r, 2);
    }
    choose_who(p, op, r);
    choose_where(p, op, r);
}

static void choose_noise(const struct style *style, struct operation *op,
                         struct random *r)
{
    op->kind = one_in(r, 2) ? DO_SHUFFLE : DO_VOTE;
    if (style->has_fences && one_in(r, 2))
        op->kind = DO_FENCE;
}

static uint32_t some_warps(const struct random_program *p, struct random *r)
{
    uint32_t all = (1u << warps_in(p)) - 1, some = below(r, all + 1);
    return some ? some : all;
}

/* A way to synchronise, the cheap ones first. */
static void choose_sync(const struct random_program *p,
                        const struct style *style, int which,
                        struct operation *op, struct random *r)
{
    *op = (struct operation){.kind = DO_BARRIER};
    if (p->count > 14 && which > 1)
        which = 4; /* there are 16 barriers */
    switch (which) {
    case 0:
        op->kind = DO_WARP_GROUPS;
        op->size = 2u << below(r, 5);
        break;
    case 1:
        op->kind = DO_WARP_LANES;
        op->mask = one_in(r, 2) ? 0xffffffffu : (uint32_t)random_next(r) | 1;
        break;
    case 2:
        if (style->has_leaving)
            break;
        op->kind = DO_BARRIER_OF;
        op->warps = some_warps(p, r);
        break;
    case 3:
        op->warps = some_warps(p, r);
        op->others = ((1u << warps_in(p)) - 1) & ~op->warps;
        if (style->has_leaving || !op->others)
            break;
        op->kind = DO_ARRIVE;
        break;
    default: break;
    }
}

/* ---- whole programs ---------------------------------------------------------------- */

static void insert(struct random_program *p, int at, struct operation op)
{
    memmove(&p->ops[at + 1], &p->ops[at],
            (size_t)(p->count - at) * sizeof *p->ops);
    p->ops[at] = op;
    p->count++;
    p->loop_from += at < p->loop_from;
    p->loop_to += at < p->loop_to;
}

static void delete (struct random_program *p, int at)
{
    p->count--;
    memmove(&p->ops[at], &p->ops[at + 1],
            (size_t)(p->count - at) * sizeof *p->ops);
    p->loop_from -= at < p->loop_from;
    p->loop_to -= at < p->loop_to;
}

static bool is_racy(const struct random_program *p)
{
    static _Thread_local struct oracle o;
    oracle_judge(p, &o);
    if (o.is_racy)
        return true;
    for (int a = 0; a < p->count; a++)
        for (int b = 0; b < p->count; b++)
            if (o.pair[a][b] != PAIR_FINE)
                return true;
    return false;
}

/* The last operation races: put something in front of it, or take it away. */
static void repair(struct random_program *p, const struct style *style,
                   struct random *r)
{
    int last = p->count - 1;
    bool is_patient = one_in(r, 3); /* tries the cheap ways first */
    for (int which = is_patient ? 0 : 4; which <= 4; which++) {
        struct operation sync;
        choose_sync(p, style, which, &sync, r);
        insert(p, last, sync);
        if (!is_racy(p))
            return;
        delete (p, last);
    }
    delete (p, last);
}

static void choose_loop(struct random_program *p, struct random *r)
{
    int from = (int)below(r, (uint32_t)p->count), to = from;
    while (to < p->count && p->ops[to].kind != DO_ARRIVE &&
           p->ops[to].kind != DO_LEAVE && to - from < 8)
        to++;
    if (to == from || p->count == PROGRAM_OPS)
        return;
    p->loop_from = from;
    p->loop_to = to;
    p->turns = 2 + (int)below(r, 3);
    if (!is_racy(p))
        return;
    insert(p, to, (struct operation){.kind = DO_BARRIER});
    p->loop_to = to + 1;
    if (!is_racy(p))
        return;
    delete (p, to);
    p->loop_from = p->loop_to = 0;
    p->turns = 1;
}

static struct operation leaving(const struct random_program *p,
                                struct random *r)
{
    struct operation op = {.kind = DO_LEAVE};
    choose_who(p, &op, r);
    if (op.who == WHO_ALL)
        op.who = WHO_ONE;
    return op;
}

void program_make(struct random_program *p, struct random *r)
{
    static const uint32_t threads[] = {32, 64, 96, 128, 20, 33, 48, 100};
    struct style style = {.has_bytes = one_in(r, 4),
                          .has_vectors = one_in(r, 3),
                          .has_atomics = one_in(r, 2),
                          .has_leaving = one_in(r, 6)};
    style.has_fences = !style.has_atomics && one_in(r, 3);
    *p = (struct random_program){.turns = 1};
    p->threads = threads[below(r, one_in(r, 2) ? 4 : 8)];
    p->grid = 1 + below(r, 3);
    p->bytes = 64u << below(r, 4);
    int wanted = 3 + (int)below(r, 8);
    for (int k = 0; k < 3 * wanted && p->count < PROGRAM_OPS - 4; k++) {
        struct operation op = {0};
        if (one_in(r, 6))
            choose_noise(&style, &op, r);
        else if (one_in(r, 12))
            choose_sync(p, &style, (int)below(r, 5), &op, r);
        else
            choose_access(p, &style, &op, r);
        if (style.has_leaving && k == 2 * wanted)
            op = leaving(p, r);
        p->ops[p->count++] = op;
        if (is_racy(p))
            repair(p, &style, r);
    }
    if (one_in(r, 3))
        choose_loop(p, r);
}

/* ---- careless changes ----------------------------------------------------------------- */

static void weaken(const struct random_program *p, struct operation *op,
                   struct random *r)
{
    switch (op->kind) {
    case DO_BARRIER: /* into a branch that a part of the warps takes */
        op->kind = DO_BARRIER_OF;
        op->warps = some_warps(p, r);
        break;
    case DO_BARRIER_OF: op->warps &= some_warps(p, r); break;
    case DO_ARRIVE:
        op->kind = DO_BARRIER_OF;
        op->warps = op->others;
        break;
    case DO_WARP_GROUPS: op->size = op->size > 2 ? op->size / 2 : 2; break;
    case DO_WARP_LANES: op->mask &= (uint32_t)random_next(r) | 1; break;
    default: break;
    }
    if (op->kind == DO_BARRIER_OF && op->warps == 0)
        op->warps = 1;
}

static void spoil_access(const struct random_program *p, struct operation *op,
                         struct random *r)
{
    switch (below(r, 4)) {
    case 0: op->where_k += one_in(r, 2) ? 1 : ~0u; break;
    case 1: op->who = WHO_ALL; break;
    case 2: op->where_k = below(r, p->threads); break;
    default:
        op->kind = op->kind == DO_ATOMIC_ADD || op->kind == DO_STORE_SAME
                       ? DO_STORE_OWN
                       : op->kind;
        break;
    }
    if (op->where == WHERE_SHIFT)
        op->where_k %= 6;
}

static bool leaves(const struct random_program *p)
{
    for (int k = 0; k < p->count; k++)
        if (p->ops[k].kind == DO_LEAVE)
            return true;
    return false;
}

void program_mutate(struct random_program *p, struct random *r)
{
    int at = (int)below(r, (uint32_t)p->count);
    for (int k = 0; k < p->count && !op_is_sync(&p->ops[at]); k++)
        if (one_in(r, 3)) /* most of them about synchronising */
            break;
        else
            at = (at + 1) % p->count;
    struct operation *op = &p->ops[at];
    if (op_is_access(op))
        spoil_access(p, op, r);
    else if (op_is_sync(op) && one_in(r, 2) && p->count > 1)
        delete (p, at);
    else if (op_is_sync(op) && !leaves(p))
        weaken(p, op, r);
    else if (at + 1 < p->count && at + 1 != p->loop_from &&
             at + 1 != p->loop_to && op->kind != DO_LEAVE &&
             p->ops[at + 1].kind != DO_LEAVE) {
        struct operation held = *op; /* past the next operation */
        *op = p->ops[at + 1];
        p->ops[at + 1] = held;
    }
    if (p->loop_to <= p->loop_from)
        p->turns = 1;
}
