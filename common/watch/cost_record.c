/* From events to steps.
 *
 * A straight run of instructions is told once, after the accesses in it
 * (event.h).  So accesses wait in a list of their warp until the EVENT_RUN
 * that has their instruction comes, and go into its steps then. */
#include "ptx/flow.h"
#include "watch/cost_model.h"
#include "watch/counters_cost.h"

#include <stdlib.h>
#include <string.h>

/* ---- the program ---------------------------------------------------------------*/

struct registers {
    struct cost_op *op;
    uint32_t first; /* of the function's registers */
};

static void add_register(void *data, int reg, bool is_write)
{
    struct registers *r = data;
    uint16_t number = (uint16_t)(r->first + (uint32_t)reg);
    if (is_write && r->op->result_count < MAX_RESULTS)
        r->op->result[r->op->result_count++] = number;
    else if (!is_write && r->op->source_count < MAX_SOURCES)
        r->op->source[r->op->source_count++] = number;
}

void record_program(struct cost *c)
{
    const struct launch_info *info = c->info;
    uint32_t at = 0, code = 0;

    for (int f = 0; f < info->function_count; f++)
        c->op_count += (uint32_t)info->functions[f]->insn_count;
    c->ops = arena_array(&c->arena, c->op_count + 1, sizeof *c->ops);
    c->functions = arena_array(&c->arena, (size_t)info->function_count + 1,
                               sizeof *c->functions);
    for (int f = 0; f < info->function_count; f++) {
        const struct ptx_function *function = info->functions[f];
        struct cost_lowered *lowered = cost_lower(&c->arena, function);
        c->functions[f].function = function;
        c->functions[f].first = at;
        for (int i = 0; i < function->insn_count; i++, at++) {
            struct registers r = {&c->ops[at], c->register_count};
            c->ops[at].how = lowered[i];
            c->ops[at].insn = &function->insns[i];
            c->ops[at].line = code / CODE_LINE;
            code += (uint32_t)lowered[i].issue * CODE_BYTES;
            if (c->register_count + (uint32_t)function->register_count <
                UINT16_MAX)
                ptx_each_register(&function->insns[i], add_register, &r);
        }
        c->register_count += (uint32_t)function->register_count;
    }
    c->line_count = code / CODE_LINE + 1;
}

static uint32_t op_of(const struct cost *c, const struct ptx_function *f,
                      const struct ptx_insn *insn)
{
    int k = 0;
    while (k < c->info->function_count - 1 && c->functions[k].function != f)
        k++;
    return c->functions[k].first + (uint32_t)(insn - f->insns);
}

/* ---- shared memory -------------------------------------------------------------*/

/* Turns for the lanes `mask`: the most different words that one bank is asked
 * for.  `most` gets the most lanes on one word. */
static uint32_t bank_turns(const struct event *e, uint32_t mask, uint32_t *most)
{
    uint64_t words[WARP_LANES * 4];
    uint32_t count = 0, turns = 0, per_bank[32] = {0};
    uint32_t each = e->size / 4 ? e->size / 4 : 1;

    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t first = e->address[__builtin_ctz(m)] / 4;
        uint32_t same = 1;
        for (uint32_t k = 0; k < each && count < WARP_LANES * 4; k++) {
            bool is_new = true;
            for (uint32_t j = 0; j < count; j++)
                is_new &= words[j] != first + k;
            if (is_new) {
                words[count++] = first + k;
                if (++per_bank[(first + k) % 32] > turns)
                    turns = per_bank[(first + k) % 32];
            }
        }
        for (uint32_t o = mask & ~((2u << __builtin_ctz(m)) - 1); o; o &= o - 1)
            same += e->address[__builtin_ctz(o)] / 4 == first;
        if (same > *most)
            *most = same;
    }
    return turns;
}

/* 8 bytes a lane are served in halves of the warp, 16 in quarters. */
static uint32_t shared_wavefronts(const struct event *e, uint32_t *most)
{
    uint32_t parts = e->size >= 16 ? 4 : e->size == 8 ? 2 : 1, turns = 0;
    if (e->is_row && e->size == 4) {
        *most = 1;
        return 1;
    }
    for (uint32_t p = 0; p < parts; p++) {
        uint32_t lanes = WARP_LANES / parts;
        uint32_t mask = lanes == 32 ? ~0u : ((1u << lanes) - 1) << p * lanes;
        turns += bank_turns(e, e->active & mask, most);
    }
    return turns ? turns : 1;
}

/* ---- global memory -------------------------------------------------------------*/

static bool in_l1(struct cost_block *b, uint64_t sector)
{
    uint64_t *slot = &b->l1[sector & (b->cost->l1_sectors - 1)];
    bool known = *slot == sector + 1;
    *slot = sector + 1;
    return known;
}

/* Whether the block has fetched the pair of sectors itself, lately, or stored
 * to the sector. */
static bool in_l2(struct cost_block *b, uint64_t place, bool is_store)
{
    uint64_t number = place << 1 | is_store;
    uint64_t *slot = &b->l2[number % (sizeof b->l2 / sizeof *b->l2)];
    bool known = *slot == number + 1;
    *slot = number + 1;
    return known;
}

/* What an access touches; each number once. */
struct touched {
    struct cost_block *block;
    struct cost_step *step;
    uint64_t sectors[4 * WARP_LANES], lines[4 * WARP_LANES];
    uint64_t missing[4 * WARP_LANES], pairs[4 * WARP_LANES];
    uint32_t sector_count, line_count, missing_count, pair_count;
    bool is_cached, is_kept; /* it may hit the L1, and lies there then */
};

/* The last ones first, where an equal number is most likely. */
static bool is_new(uint64_t *list, uint32_t *count, uint64_t number)
{
    for (uint32_t k = *count; k-- > 0;)
        if (list[k] == number)
            return false;
    list[(*count)++] = number;
    return true;
}

static void touch(struct touched *t, uint64_t sector)
{
    if (t->sector_count == 4 * WARP_LANES ||
        !is_new(t->sectors, &t->sector_count, sector))
        return;
    is_new(t->lines, &t->line_count, sector / 4);
    bool is_known = t->is_kept && in_l1(t->block, sector);
    if (is_known && t->is_cached)
        return;
    t->step->l2_sectors++;
    t->step->dram_sectors += !is_known;
    is_new(t->missing, &t->missing_count, sector / 4);
    is_new(t->pairs, &t->pair_count, sector / 2);
}

/* Local memory lies so that lanes with the same index are side by side: a
 * line of 128 bytes for each word (CUDA Best Practices Guide, Local Memory). */
static void touch_local(struct touched *t, const struct event *e)
{
    uint64_t warp = (e->warp + 1ull) * 0x9e3779b97f4a7c15u >> 16 << 16;
    for (uint32_t k = 0; k < (e->size + 3) / 4; k++)
        for (uint32_t m = e->active; m; m &= m - 1) {
            int lane = __builtin_ctz(m);
            uint64_t word = e->address[lane] / 4 + k;
            touch(t, (warp >> 2) + (word << 2 | (uint32_t)lane / 8));
        }
}

static void touch_global(struct touched *t, const struct event *e)
{
    for (uint32_t m = e->active; m; m &= m - 1) {
        uint64_t first = e->address[__builtin_ctz(m)] / 32;
        uint64_t last = (e->address[__builtin_ctz(m)] + e->size - 1) / 32;
        for (uint64_t s = first; s <= last; s++)
            touch(t, s);
    }
}

/* One behind the other, up or down. */
static bool is_stretch(const struct touched *t)
{
    if (!t->sector_count) /* no lane */
        return true;
    uint64_t first = t->sectors[0], last = t->sectors[t->sector_count - 1];
    return (last > first ? last - first : first - last) + 1 == t->sector_count;
}

/* Of loads, the pairs of sectors that the block has not fetched before; of
 * stores, the sectors, as the L2 fetches what a store leaves of one. */
static void count_scattered(struct touched *t, bool is_store)
{
    const uint64_t *units = is_store ? t->sectors : t->pairs;
    uint32_t count = is_store ? t->sector_count : t->pair_count, fetched = 0;
    struct cost_step *s = t->step;

    for (uint32_t k = 0; k < count; k++)
        if (!in_l2(t->block, units[k], is_store)) {
            note_place(t->block, units[k]);
            fetched++;
        }
    s->dram_sectors = (uint8_t)(is_store ? fetched : 2 * fetched);
    s->dram_lines =
        (uint8_t)(t->missing_count < fetched ? t->missing_count : fetched);
}

/* The 32-byte sectors of a load or store past the L1, the lines that they are
 * in, and what the L2 fetches for them: two sectors at a time (dram__bytes of
 * scattered loads, tests/golden/micro_memory.cu).  Stores leave the SM always,
 * those to local memory stay in the L1 besides. */
static void count_sectors(struct cost_block *b, const struct event *e,
                          struct cost_step *s)
{
    struct touched t;
    bool is_local = e->space == SPACE_LOCAL;

    t.block = b;
    t.step = s;
    t.sector_count = t.line_count = t.missing_count = t.pair_count = 0;
    t.is_cached = !e->is_write && e->insn->order == ORDER_WEAK &&
                  !(e->insn->flags & FLAG_CACHE_GLOBAL);
    t.is_kept = t.is_cached || e->is_write || is_local;
    if (is_local)
        touch_local(&t, e);
    else
        touch_global(&t, e);
    s->is_store = e->is_write;
    s->is_local = is_local;
    s->lines = (uint8_t)t.line_count;
    s->l2_lines = (uint8_t)t.missing_count;
    if (is_local)
        s->dram_sectors = 0;
    else if (!is_stretch(&t))
        count_scattered(&t, e->is_write);
    else if (!s->is_store) {
        /* What is left over at the edges of a stretch is for its neighbours. */
        uint32_t sectors = (cost_lanes(e->active) * e->size + 31) / 32;
        s->dram_sectors =
            s->l2_sectors < sectors ? s->l2_sectors : (uint8_t)sectors;
    }
}

/* The word that most lanes want, and how many they are. */
static uint32_t lanes_on_one_word(const struct event *e, uint64_t *word)
{
    uint32_t most = 0;
    for (uint32_t m = e->active; m; m &= m - 1) {
        uint64_t a = e->address[__builtin_ctz(m)];
        uint32_t same = 0;
        for (uint32_t o = m; o; o &= o - 1)
            same += e->address[__builtin_ctz(o)] == a;
        if (same > most) {
            most = same;
            *word = a;
        }
    }
    return most;
}

/* ---- events ----------------------------------------------------------------------*/

static struct cost_memory *pending_add(struct cost_warp *w,
                                       const struct ptx_insn *insn)
{
    if (w->pending_count == w->pending_capacity) {
        w->pending_capacity = 2 * w->pending_capacity + 16;
        w->pending = checked_realloc(w->pending, (size_t)w->pending_capacity *
                                                     sizeof *w->pending);
    }
    struct cost_memory *m = &w->pending[w->pending_count++];
    memset(m, 0, sizeof *m);
    m->insn = insn;
    return m;
}

static void record_access(struct cost_block *b, struct cost_warp *w,
                          const struct event *e)
{
    struct cost_memory *m = pending_add(w, e->insn);
    struct cost_step *s = &m->step;
    uint32_t most = 1;

    m->is_late = e->kind == EVENT_STORE && e->insn->op == OP_CP_ASYNC;
    if (m->is_late)
        s->op = op_of(b->cost, e->function, e->insn);

    s->address = e->address[__builtin_ctz(e->active)];
    if (e->space == SPACE_SHARED) {
        s->pipe = PIPE_SHARED;
        s->wavefronts = (uint16_t)shared_wavefronts(e, &most);
        if (e->is_atomic)
            s->same_word = (uint8_t)most;
    } else if (e->is_atomic) {
        s->pipe = PIPE_ATOMIC;
        s->same_word = (uint8_t)lanes_on_one_word(e, &s->address);
        s->l2_sectors = (uint8_t)cost_sectors(e);
        s->lanes = (uint8_t)__builtin_popcount(e->active);
    } else {
        s->pipe = PIPE_GLOBAL;
        count_sectors(b, e, s);
        s->address /= 32;
    }
}

static void record_step(const struct cost *c, struct cost_warp *w,
                        const struct cost_step *s)
{
    if (w->count >= c->steps_left) {
        w->dropped++;
        return;
    }
    if (w->count == w->capacity) {
        w->capacity = w->capacity ? 2 * w->capacity : 128;
        w->steps = checked_realloc(w->steps, w->capacity * sizeof *w->steps);
    }
    w->steps[w->count++] = *s;
}

/* One instruction with what was told about it before. */
static void record_insn(const struct cost *c, struct cost_warp *w, uint32_t op,
                        int *next)
{
    const struct ptx_insn *insn = c->ops[op].insn;
    const struct cost_lowered *how = &c->ops[op].how;
    struct cost_step s = {.op = op,
                          .pipe = (uint8_t)how->pipe,
                          .issue = (uint16_t)how->issue,
                          .wavefronts = 1};
    bool has_access = false;

    for (; *next < w->pending_count; (*next)++) {
        const struct cost_memory *m = &w->pending[*next];
        if (m->is_late) { /* a copy arrives, whatever the warp does now */
            struct cost_step late = m->step;
            late.issue = (uint16_t)c->ops[late.op].how.issue;
            record_step(c, w, &late);
            continue;
        }
        if (m->insn != insn)
            break;
        if (m->is_guard) {
            s.is_off = m->step.is_off;
            continue;
        }
        if (how->is_kept)
            continue;
        if (has_access) /* a generic access that goes to two spaces */
            record_step(c, w, &s);
        has_access = true;
        s = m->step;
        s.op = op;
        s.issue = (uint16_t)how->issue;
    }
    if (!has_access && how->pipe >= PIPE_SHARED && how->pipe <= PIPE_ATOMIC)
        s.is_off = true;
    record_step(c, w, &s);
}

static void record_run(const struct cost *c, struct cost_warp *w,
                       const struct event *e)
{
    uint32_t first = op_of(c, e->function, e->insn);
    int next = 0;

    for (uint32_t k = 0; k < e->count; k++)
        record_insn(c, w, first + k, &next);
    if (next < w->pending_count)
        memmove(w->pending, w->pending + next,
                (size_t)(w->pending_count - next) * sizeof *w->pending);
    w->pending_count -= next;
}

/* All lanes jump over a body that the hardware issues for nobody. */
static void record_branch(const struct cost *c, struct cost_warp *w,
                          const struct event *e)
{
    uint32_t op = op_of(c, e->function, e->insn);
    const struct cost_lowered *how = &c->ops[op].how;
    const struct cost_step s = {.op = op,
                                .pipe = PIPE_VALUE,
                                .is_off = true,
                                .issue = (uint16_t)how->body_issue};
    if (how->is_folded && e->active == e->issued && s.issue)
        record_step(c, w, &s);
}

void record_event(struct cost_block *b, const struct event *e)
{
    struct cost_warp *w = &b->warps[e->warp];
    switch (e->kind) {
    case EVENT_RUN: record_run(b->cost, w, e); break;
    case EVENT_BRANCH: record_branch(b->cost, w, e); break;
    case EVENT_GUARD: {
        struct cost_memory *m = pending_add(w, e->insn);
        m->is_guard = true;
        m->step.is_off = e->active == 0;
        break;
    }
    default:
        if (e->active)
            record_access(b, w, e);
    }
}
