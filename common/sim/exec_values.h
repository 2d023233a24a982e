/* Register work of the inner loop; included by exec_impl.c only, so that it is
 * compiled once per x86 level. */
#ifndef SIM_EXEC_VALUES_H
#define SIM_EXEC_VALUES_H

#include "sim/alu_lanes.h"
#include "sim/machine.h"

#include <string.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

/* What the inner loop keeps at hand about the split it runs. */
struct run {
    struct warp *w;
    struct block *b;
    struct split *split;
    int s;
    uint8_t *regs;
    const struct code_insn *insns;
    const struct ptx_function *function;
    uint32_t mask;     /* lanes of the split */
    int counted;       /* PTX instructions before this index are counted */
    uint32_t loops;    /* backward branches in this run */
    uint32_t gathered; /* trips of a loop that run_event has not told yet */
    int64_t *slice;
};

static void run_load(struct run *r)
{
    r->split = &r->w->splits[r->s];
    r->regs = r->split->frame->regs;
    r->insns = r->split->frame->code->insns;
    r->function = r->split->frame->code->function;
    r->mask = r->split->mask;
}

/* What a run of instructions ends with: a branch with a guard, forwards or
 * back, or anything else. */
enum run_end_with { ENDS_PLAIN, ENDS_IN_BRANCH, ENDS_IN_LOOP };

static __attribute__((noinline)) void tell_rows(struct run *r)
{
    struct block *b = r->b;
    struct event ev = {.kind = EVENT_ROWS,
                       .function = r->function,
                       .insn = b->rows[0].insn,
                       .warp = r->w->index,
                       .active = b->rows[0].active,
                       .count = b->row_count,
                       .rows = b->rows};
    b->row_count = 0;
    event_send(b, &ev);
}

/* An access that is not told yet. */
static inline void gather_row(struct run *r, const struct code_insn *in,
                              uint32_t active, uint64_t address, bool is_write,
                              bool is_shared)
{
    struct block *b = r->b;
    if (b->row_count == GATHERED_ROWS)
        tell_rows(r);
    b->rows[b->row_count++] = (struct row_access){
        in->insn, address,  active, (uint8_t)(in->size * in->vector),
        is_write, is_shared};
}

static inline void tell_gathered(struct run *r)
{
    if (r->b->row_count)
        tell_rows(r);
    if (!r->gathered)
        return;
    r->b->run_event.times = r->gathered;
    r->gathered = 0;
    event_send(r->b, &r->b->run_event);
}

/* `n` instructions from `counted` on.  Of a trip through a loop that is like the
 * one before, only the number is noted. */
static inline void tell_run(struct run *r, int n, enum run_end_with end,
                            uint32_t taken)
{
    struct event *ev = &r->b->run_event;
    const struct ptx_insn *first = &r->function->insns[r->counted];
    bool is_trip = end == ENDS_IN_LOOP && r->b->gathers;
    if (r->gathered && is_trip && ev->insn == first &&
        ev->count == (uint32_t)n && ev->active == r->mask &&
        ev->taken == taken) {
        r->gathered++;
        return;
    }
    tell_gathered(r);
    ev->kind = EVENT_RUN;
    ev->function = r->function;
    ev->insn = first;
    ev->warp = r->w->index;
    ev->active = r->mask;
    ev->count = (uint32_t)n;
    ev->ends_in_branch = end != ENDS_PLAIN;
    ev->taken = taken;
    ev->times = 1;
    if (is_trip)
        r->gathered = 1;
    else
        event_send(r->b, ev);
}

/* The instructions up to `end` (a PTX index) were issued; the last one may
 * have been a branch with a guard. */
static inline void count_until(struct run *r, int end, enum run_end_with with,
                               uint32_t taken)
{
    int n = end - r->counted;
    if (n <= 0) {
        r->counted = end;
        return;
    }
    r->b->instructions += (uint64_t)n;
    r->b->thread_instructions +=
        (uint64_t)n * (uint64_t)__builtin_popcount(r->mask);
    *r->slice -= n;
    if (event_wanted(r->b, EVENT_RUN))
        tell_run(r, n, with, taken);
    r->counted = end;
}

static inline void count_to(struct run *r, int end)
{
    count_until(r, end, ENDS_PLAIN, 0);
}

static void tell_guard(struct run *r, const struct code_insn *in,
                       enum event_kind kind, uint32_t active)
{
    struct event ev = {.kind = kind,
                       .function = r->function,
                       .insn = in->insn,
                       .warp = r->w->index,
                       .active = active,
                       .issued = r->mask};
    event_send(r->b, &ev);
}

static inline void merge4(lane_u32 *d, const lane_u32 *t, uint32_t m)
{
#ifdef __AVX512F__
    _mm512_mask_store_epi32(d, (__mmask16)m, _mm512_load_epi32(t));
    _mm512_mask_store_epi32(d + 16, (__mmask16)(m >> 16),
                            _mm512_load_epi32(t + 16));
#else
    EACH_LANE d[i] = (m >> i & 1) ? t[i] : d[i];
#endif
}

static inline void merge8(lane_u64 *d, const lane_u64 *t, uint32_t m)
{
#ifdef __AVX512F__
    for (int k = 0; k < 4; k++)
        _mm512_mask_store_epi64(d + 8 * k, (__mmask8)(m >> (8 * k)),
                                _mm512_load_epi64(t + 8 * k));
#else
    EACH_LANE d[i] = (m >> i & 1) ? t[i] : d[i];
#endif
}

static inline void merge(uint8_t *d, const void *t, uint32_t m, int bytes)
{
    if (bytes == 8)
        merge8((uint64_t *)(void *)d, t, m);
    else
        merge4((uint32_t *)(void *)d, t, m);
}

/* Lanes of the warp whose registers an instruction must leave alone. */
static inline uint32_t others(const struct run *r, uint32_t active)
{
    return r->w->live & ~active;
}

static inline void set_predicate(struct run *r, uint32_t at, uint32_t value,
                                 uint32_t active)
{
    uint32_t *p = (uint32_t *)(r->regs + at);
    *p = (*p & ~active) | (value & active);
}

static inline void do_value(struct run *r, const struct code_insn *in, void *d)
{
    const void *a = place_of(in, r->regs, 0), *b = place_of(in, r->regs, 1);
    if (in->sources <= 2)
        in->value(d, a, b, NULL, NULL);
    else
        in->value(d, a, b, place_of(in, r->regs, 2), place_of(in, r->regs, 3));
}

/* An instruction that computes a value, and those right behind it: few
 * instructions have a guard, so all of a run have the same lanes.  Gives the
 * last one that was done. */
static inline const struct code_insn *
do_values(struct run *r, const struct code_insn *in, uint32_t active)
{
    if (others(r, active)) {
        _Alignas(64) uint64_t t[WARP_LANES];
        do_value(r, in, t);
        merge(r->regs + in->d, t, active, in->d_bytes);
        return in;
    }
    do
        do_value(r, in, r->regs + in->d);
    while ((++in)->exec == X_VALUE && in->guard < 0);
    return in - 1;
}

static void do_carry(struct run *r, const struct code_insn *in, uint32_t active)
{
    _Alignas(64) uint64_t t[WARP_LANES];
    uint32_t out =
        in->carry(t, place_of(in, r->regs, 0), place_of(in, r->regs, 1),
                  place_of(in, r->regs, 2), r->w->carry);
    merge(r->regs + in->d, t, active, in->d_bytes);
    if (in->insn->flags & FLAG_CC)
        r->w->carry = (r->w->carry & ~active) | (out & active);
}

static inline uint32_t combine(const struct run *r, const struct code_insn *in,
                               uint32_t value)
{
    if (in->insn->boolean == BOOL_NONE)
        return value;
    uint32_t c = predicate_of(&in->p, r->regs);
    switch (in->insn->boolean) {
    case BOOL_AND: return value & c;
    case BOOL_OR: return value | c;
    default: return value ^ c;
    }
}

static inline void do_compare(struct run *r, const struct code_insn *in,
                              uint32_t active)
{
    const void *a = place_of(in, r->regs, 0), *b = place_of(in, r->regs, 1);
    uint32_t v = in->compare(a, b), p = combine(r, in, v);
    if (!in->d2.sink) {
        uint32_t other = in->compare_second ? in->compare_second(a, b) : ~v;
        set_predicate(r, (uint32_t)in->d2.at, combine(r, in, other), active);
    }
    set_predicate(r, in->d, p, active); /* last: it may be a source too */
}

static void do_set(struct run *r, const struct code_insn *in, uint32_t active)
{
    uint32_t v = combine(
        r, in, in->compare(place_of(in, r->regs, 0), place_of(in, r->regs, 1)));
    uint32_t yes = in->insn->type == PTX_F32 ? 0x3f800000u : ALL_LANES;
    _Alignas(64) uint32_t t[WARP_LANES];
    EACH_LANE t[i] = (v >> i & 1) ? yes : 0;
    merge4((uint32_t *)(void *)(r->regs + in->d), t, active);
}

static void do_logic(struct run *r, const struct code_insn *in, uint32_t active)
{
    uint32_t a = predicate_of(&in->elements[0], r->regs);
    uint32_t b = in->vector > 1 ? predicate_of(&in->elements[1], r->regs) : 0;
    uint32_t v;
    switch (in->insn->op) {
    case OP_AND: v = a & b; break;
    case OP_OR: v = a | b; break;
    case OP_XOR: v = a ^ b; break;
    case OP_NOT: v = ~a; break;
    default: v = a; break; /* mov */
    }
    set_predicate(r, in->d, v, active);
}

static inline void do_select(struct run *r, const struct code_insn *in,
                             uint32_t active)
{
    uint32_t yes = predicate_of(&in->p, r->regs);
    const uint8_t *a = place_of(in, r->regs, 0), *b = place_of(in, r->regs, 1);
    uint8_t *d = r->regs + in->d;
    _Alignas(64) uint8_t t[WARP_LANES * 8];
    size_t bytes = (size_t)in->d_bytes * WARP_LANES;
    memcpy(t, b, bytes);
    merge(t, a, yes, in->d_bytes);
    if (others(r, active))
        merge(d, t, active, in->d_bytes);
    else
        memcpy(d, t, bytes);
}

static inline void do_move(struct run *r, const struct code_insn *in,
                           uint32_t active)
{
    const uint8_t *a = place_of(in, r->regs, 0);
    uint8_t *d = r->regs + in->d;
    if (others(r, active))
        merge(d, a, active, in->d_bytes);
    else if (in->d_bytes == 8)
        memcpy(d, a, 8 * WARP_LANES);
    else
        memcpy(d, a, 4 * WARP_LANES);
}

static inline void splat(struct run *r, const struct code_insn *in,
                         uint64_t value, uint32_t active)
{
    _Alignas(64) uint64_t t[WARP_LANES];
    if (in->d_bytes == 8)
        EACH_LANE t[i] = value;
    else
        EACH_LANE((uint32_t *)t)[i] = (uint32_t)value;
    merge(r->regs + in->d, t, active, in->d_bytes);
}

static void do_add_window(struct run *r, const struct code_insn *in,
                          uint32_t active)
{
    _Alignas(64) uint64_t t[WARP_LANES];
    const uint64_t *a = (const uint64_t *)(void *)place_of(in, r->regs, 0);
    uint64_t plus = (uint64_t)in->offset;
    EACH_LANE t[i] = a[i] + plus;
    merge8((uint64_t *)(void *)(r->regs + in->d), t, active);
}

static inline uint64_t place_lane(const struct slot *p, const uint8_t *regs,
                                  int lane)
{
    const uint8_t *from = p->constant ? (const uint8_t *)p->at : regs + p->at;
    return p->bytes == 8 ? ((const uint64_t *)(const void *)from)[lane]
                         : ((const uint32_t *)(const void *)from)[lane];
}

/* ld.param and st.param of a call's arguments and results: lane i's copy of
 * the variable lies i times its size into the area. */
static void do_param_area(struct run *r, const struct code_insn *in,
                          uint32_t active)
{
    uint8_t *area = r->regs + in->d;
    for (uint32_t m = active; m; m &= m - 1) {
        int i = lane_first(m);
        uint8_t *cell = area + (size_t)i * in->target + in->offset;
        for (int k = 0; k < in->vector; k++, cell += in->size) {
            const struct slot *p = &in->elements[k];
            uint64_t v = 0;
            if (in->insn->op == OP_ST) {
                v = place_lane(p, r->regs, i);
                memcpy(cell, &v, in->size);
                continue;
            }
            memcpy(&v, cell, in->size);
            if (in->is_signed) {
                int shift = 64 - 8 * in->size;
                v = (uint64_t)((int64_t)(v << shift) >> shift);
            }
            if (p->sink)
                continue;
            if (p->bytes == 8)
                ((uint64_t *)(void *)(r->regs + p->at))[i] = v;
            else
                ((uint32_t *)(void *)(r->regs + p->at))[i] =
                    (uint32_t)(p->narrow ? v & 0xffff : v);
        }
    }
}

/* ld.param: the same bytes for every lane. */
static void do_param(struct run *r, const struct code_insn *in, uint32_t active)
{
    const uint8_t *from = r->b->machine->params + in->offset;
    for (int k = 0; k < in->vector; k++) {
        const struct slot *p = &in->elements[k];
        uint64_t v = 0;
        if (p->sink)
            continue;
        memcpy(&v, from + (size_t)k * in->size, in->size);
        if (in->is_signed) {
            int shift = 64 - 8 * in->size;
            v = (uint64_t)((int64_t)(v << shift) >> shift);
        }
        if (p->narrow)
            v &= 0xffff;
        struct code_insn one = {.d = (uint32_t)p->at, .d_bytes = p->bytes};
        splat(r, &one, v, active);
    }
}

#endif
