/* What becomes of a function's registers: reads that may come before any
 * write, and results that nobody reads.
 *
 * Both are bit problems over the basic blocks (one bit a register), solved 64
 * registers at a time, so that memory grows with blocks plus accesses and not
 * with their product:
 *
 *     unset, forwards:  in[b] = OR of out[predecessors], out = in minus written
 *     live, backwards:  out[b] = OR of in[successors], in = read or (out minus
 *                       written)
 *
 * A write under a guard may not happen.  It counts for reads under the same
 * guard, and together with a write under the opposite guard it counts as one
 * without (both only within a block, while the guard's value stays). */
#include "ptx/graph.h"

#include <stdlib.h>
#include <string.h>

#define MAX_STEPS (1ull << 26) /* groups of 64 registers times edges */

struct access {
    int insn, reg;
    bool is_write;
};

struct usage {
    const struct ptx_function *function;
    struct arena *scratch;
    struct graph graph;
    struct access *accesses; /* by group of 64 registers, then in order */
    int *group_first;        /* group -> first access; one more at the end */
    int group_count;
    int *guard_version; /* instruction -> where its guard was last written
                                in this block */
    uint64_t *in, *out; /* a block's bits of the group at hand */
    int *queue;
    bool *queued;
    struct ptx_usage result;
    int unset_capacity;
};

/* ---- collecting the accesses ------------------------------------------------ */

static void count_access(void *data, int reg, bool is_write)
{
    int *counts = data;
    (void)is_write;
    counts[reg / 64 + 1]++;
}

struct placing {
    struct usage *usage;
    int *next;
    int insn;
};

static void place_access(void *data, int reg, bool is_write)
{
    struct placing *p = data;
    p->usage->accesses[p->next[reg / 64]++] =
        (struct access){p->insn, reg, is_write};
}

static void collect_accesses(struct usage *u)
{
    const struct ptx_function *f = u->function;
    size_t groups = (size_t)u->group_count;
    struct placing placing = {.usage = u};

    u->group_first = arena_array(u->scratch, groups + 1, sizeof(int));
    for (int i = 0; i < f->insn_count; i++)
        ptx_each_register(&f->insns[i], count_access, u->group_first);
    placing.next = arena_array(u->scratch, groups + 1, sizeof(int));
    for (size_t g = 0; g < groups; g++) {
        placing.next[g] = u->group_first[g];
        u->group_first[g + 1] += u->group_first[g];
    }
    u->accesses = arena_array(u->scratch, (size_t)u->group_first[groups],
                              sizeof *u->accesses);
    for (int i = 0; i < f->insn_count; i++) {
        placing.insn = i;
        ptx_each_register(&f->insns[i], place_access, &placing);
    }
}

struct versions {
    int *last_write; /* register -> instruction */
    int insn;
};

static void note_write(void *data, int reg, bool is_write)
{
    struct versions *v = data;
    if (is_write)
        v->last_write[reg] = v->insn;
}

static void find_guard_versions(struct usage *u)
{
    const struct ptx_function *f = u->function;
    struct versions v = {0};

    v.last_write =
        arena_array(u->scratch, (size_t)f->register_count, sizeof(int));
    memset(v.last_write, 0xff, (size_t)f->register_count * sizeof(int));
    u->guard_version =
        arena_array(u->scratch, (size_t)f->insn_count, sizeof(int));
    for (int i = 0; i < f->insn_count; i++) {
        int block_first = u->graph.block_first[u->graph.block_of[i]];
        int guard = f->insns[i].guard;
        v.insn = i;
        if (guard >= 0)
            u->guard_version[i] =
                v.last_write[guard] < block_first ? -1 : v.last_write[guard];
        ptx_each_register(&f->insns[i], note_write, &v);
    }
}

/* ---- walking one block, forwards --------------------------------------------- */

/* The last write under a guard of each of the 64 registers, -1 for none. */
struct guarded {
    int insn[64];
};

static bool same_guard(const struct usage *u, int a, int b, bool opposite)
{
    const struct ptx_insn *x = &u->function->insns[a];
    const struct ptx_insn *y = &u->function->insns[b];
    return x->guard == y->guard && u->guard_version[a] == u->guard_version[b] &&
           (x->guard_negated != y->guard_negated) == opposite;
}

/* The bits of `unset` after a write. */
static uint64_t after_write(const struct usage *u, struct guarded *g,
                            const struct access *a, uint64_t unset)
{
    int slot = a->reg % 64;
    int earlier = g->insn[slot];

    if (u->function->insns[a->insn].guard < 0 ||
        (earlier >= 0 && same_guard(u, earlier, a->insn, true)))
        return unset & ~(1ull << slot);
    g->insn[slot] = a->insn;
    return unset;
}

static void add_unset(struct usage *u, const struct access *a)
{
    struct ptx_usage *r = &u->result;

    if (r->unset_count == u->unset_capacity) {
        int capacity = u->unset_capacity ? u->unset_capacity * 2 : 16;
        r->unset =
            checked_realloc(r->unset, (size_t)capacity * sizeof *r->unset);
        u->unset_capacity = capacity;
    }
    r->unset[r->unset_count++] = (struct ptx_use){a->insn, a->reg};
}

static bool is_set_under_guard(const struct usage *u, const struct guarded *g,
                               const struct access *a)
{
    int earlier = g->insn[a->reg % 64];
    return earlier >= 0 && u->function->insns[a->insn].guard >= 0 &&
           same_guard(u, earlier, a->insn, false);
}

/* Accesses [from, to) are those of one block.  Reports only if asked. */
static uint64_t walk_block(struct usage *u, int from, int to, uint64_t unset,
                           bool report)
{
    struct guarded g;

    memset(&g, 0xff, sizeof g);
    for (int i = from; i < to; i++) {
        const struct access *a = &u->accesses[i];
        if (a->is_write)
            unset = after_write(u, &g, a, unset);
        else if (report && (unset >> (a->reg % 64) & 1) &&
                 !is_set_under_guard(u, &g, a))
            add_unset(u, a);
    }
    return unset;
}

/* Calls for each block of the group that has accesses. */
static int block_end(const struct usage *u, int from, int end)
{
    int block = u->graph.block_of[u->accesses[from].insn];
    while (from < end && u->graph.block_of[u->accesses[from].insn] == block)
        from++;
    return from;
}

/* ---- the two bit problems ------------------------------------------------------ */

/* out[b] = (in[b] & keep[b]) | gen[b], in[b] = OR of the outs of `sources`, as
 * often as something changes.  in[] of the start is set by the caller. */
struct problem {
    const struct edges *sources, *dependents;
    uint64_t *keep, *gen;
};

static void solve(struct usage *u, const struct problem *p, int nodes)
{
    int head = 0, count = nodes;

    for (int b = 0; b < nodes; b++) {
        u->queue[b] = b;
        u->queued[b] = true;
    }
    while (count > 0) {
        int b = u->queue[head];
        head = (head + 1) % nodes;
        count--;
        u->queued[b] = false;
        for (int e = p->sources->first[b]; e < p->sources->first[b + 1]; e++)
            u->in[b] |= u->out[p->sources->to[e]];
        uint64_t out = (u->in[b] & p->keep[b]) | p->gen[b];
        if (out == u->out[b])
            continue;
        u->out[b] = out;
        for (int e = p->dependents->first[b]; e < p->dependents->first[b + 1];
             e++) {
            int to = p->dependents->to[e];
            if (u->queued[to])
                continue;
            u->queued[to] = true;
            u->queue[(head + count++) % nodes] = to;
        }
    }
}

static void clear_bits(struct usage *u, struct problem *p, int nodes)
{
    size_t bytes = (size_t)nodes * sizeof(uint64_t);
    memset(u->in, 0, bytes);
    memset(u->out, 0, bytes);
    memset(p->gen, 0, bytes);
    memset(p->keep, 0xff, bytes);
}

static void find_unset(struct usage *u, struct problem *p, int from, int end)
{
    const struct graph *g = &u->graph;
    int nodes = g->block_count + 1;

    clear_bits(u, p, nodes);
    p->sources = &g->predecessors;
    p->dependents = &g->successors;
    for (int i = from, next; i < end; i = next) {
        next = block_end(u, i, end);
        p->keep[g->block_of[u->accesses[i].insn]] =
            walk_block(u, i, next, ~0ull, false);
    }
    u->in[0] = ~0ull;
    solve(u, p, nodes);
    for (int i = from, next; i < end; i = next) {
        next = block_end(u, i, end);
        walk_block(u, i, next, u->in[g->block_of[u->accesses[i].insn]], true);
    }
}

/* One access, going backwards. */
static void step_back(struct usage *u, const struct access *a, uint64_t *live,
                      bool report)
{
    uint64_t bit = 1ull << (a->reg % 64);

    if (!a->is_write)
        *live |= bit;
    else if (report && (*live & bit))
        u->result.result_unused[a->insn] = false;
    if (a->is_write && u->function->insns[a->insn].guard < 0)
        *live &= ~bit;
}

static void find_live(struct usage *u, struct problem *p, int from, int end)
{
    const struct graph *g = &u->graph;
    int nodes = g->block_count + 1;

    clear_bits(u, p, nodes);
    p->sources = &g->successors;
    p->dependents = &g->predecessors;
    for (int i = end - 1; i >= from; i--) {
        const struct access *a = &u->accesses[i];
        int b = g->block_of[a->insn];
        uint64_t bit = 1ull << (a->reg % 64);
        if (a->is_write && u->function->insns[a->insn].guard < 0) {
            p->keep[b] &= ~bit;
            p->gen[b] &= ~bit;
        } else if (!a->is_write) {
            p->gen[b] |= bit;
        }
    }
    solve(u, p, nodes);
    int block = -1;
    uint64_t live = 0;
    for (int i = end - 1; i >= from; i--) {
        int b = g->block_of[u->accesses[i].insn];
        if (b != block)
            live = u->in[b]; /* backwards, what comes in is at the end */
        block = b;
        step_back(u, &u->accesses[i], &live, true);
    }
}

static void note_result(void *data, int reg, bool is_write)
{
    bool *has_result = data;
    (void)reg;
    *has_result = *has_result || is_write;
}

static void analyse(struct usage *u)
{
    const struct ptx_function *f = u->function;
    size_t nodes = (size_t)u->graph.block_count + 1;
    struct problem p = {0};
    uint64_t **arrays[] = {&u->in, &u->out, &p.keep, &p.gen};

    for (int i = 0; i < 4; i++)
        *arrays[i] = arena_array(u->scratch, nodes, sizeof(uint64_t));
    u->queue = arena_array(u->scratch, nodes, sizeof(int));
    u->queued = arena_array(u->scratch, nodes, sizeof(bool));
    collect_accesses(u);
    find_guard_versions(u);
    for (int i = 0; i < f->insn_count; i++)
        ptx_each_register(&f->insns[i], note_result,
                          &u->result.result_unused[i]);
    for (int g = 0; g < u->group_count; g++) {
        find_unset(u, &p, u->group_first[g], u->group_first[g + 1]);
        find_live(u, &p, u->group_first[g], u->group_first[g + 1]);
    }
}

/* A parameter that is a register has its value from the start. */
static void forget_unset(struct ptx_usage *usage, const struct ptx_variable *v)
{
    int count = 0;

    if (!v->in_register)
        return;
    for (int i = 0; i < usage->unset_count; i++)
        if (usage->unset[i].reg != v->reg)
            usage->unset[count++] = usage->unset[i];
    usage->unset_count = count;
}

struct writing {
    int reg;
    bool writes;
};

static void look_for_write(void *data, int reg, bool is_write)
{
    struct writing *w = data;
    w->writes = w->writes || (is_write && reg == w->reg);
}

/* The caller reads a result that is a register. */
static void keep_results(struct usage *u, const struct ptx_variable *v)
{
    const struct ptx_function *f = u->function;

    for (int i = 0; v->in_register && i < f->insn_count; i++) {
        struct writing w = {v->reg, false};
        ptx_each_register(&f->insns[i], look_for_write, &w);
        if (w.writes)
            u->result.result_unused[i] = false;
    }
}

struct ptx_usage ptx_register_usage(struct arena *arena,
                                    const struct ptx_function *f)
{
    struct arena scratch = {0};
    struct usage u = {.function = f, .scratch = &scratch};

    u.group_count = (f->register_count + 63) / 64;
    u.result.result_unused =
        arena_array(arena, (size_t)f->insn_count + 1, sizeof(bool));
    graph_make(&u.graph, &scratch, f);
    uint64_t edges =
        (uint64_t)u.graph.successors.first[u.graph.block_count] + 1;
    u.result.skipped = edges * (uint64_t)u.group_count > MAX_STEPS;
    if (f->insn_count && !u.result.skipped)
        analyse(&u);
    for (int i = 0; i < f->param_count; i++)
        forget_unset(&u.result, f->params[i]);
    for (int i = 0; i < f->result_count; i++)
        keep_results(&u, f->results[i]);
    size_t bytes = (size_t)u.result.unset_count * sizeof *u.result.unset;
    struct ptx_use *copy = arena_alloc(arena, bytes);
    if (bytes)
        memcpy(copy, u.result.unset, bytes);
    free(u.result.unset);
    u.result.unset = copy;
    arena_free(&scratch);
    return u.result;
}
