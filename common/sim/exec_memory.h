/* The fast ways to memory; included by exec_impl.c only.  Each returns false
 * when an access is not of its simple kind, with nothing done: access_memory
 * then takes it lane by lane. */
#ifndef SIM_EXEC_MEMORY_H
#define SIM_EXEC_MEMORY_H

#include "sim/exec_rows.h"

static inline void lane_addresses(const struct run *r,
                                  const struct code_insn *in, uint64_t *address)
{
    const uint64_t *a = (const uint64_t *)(void *)place_of(in, r->regs, 0);
    uint64_t plus = (uint64_t)in->offset;
    EACH_LANE address[i] = a[i] + plus;
}

static void tell_access(struct run *r, const struct code_insn *in,
                        enum event_kind kind, enum ptx_space space,
                        uint32_t active, const uint64_t *address,
                        const uint64_t *value, const uint64_t *value_high,
                        bool is_row)
{
    struct event *ev = &r->b->access_event;
    ev->kind = kind;
    ev->function = r->function;
    ev->insn = in->insn;
    ev->warp = r->w->index;
    ev->active = active;
    ev->space = space;
    ev->address = address;
    ev->size = (uint32_t)in->size * in->vector;
    ev->is_write = kind == EVENT_STORE;
    ev->is_row = is_row;
    ev->value = value;
    ev->value_high = value_high;
    event_send(r->b, ev);
}

/* Bytes of whole-warp rows: shared memory has a margin on both sides. */
enum { ROW4 = 4 * WARP_LANES };

/* Offsets of 4-byte cells in shared memory.  False if an active lane is not
 * aligned or lies outside. */
static inline bool shared_offsets(const struct run *r,
                                  const struct code_insn *in, uint32_t active,
                                  uint32_t *offset)
{
    uint32_t limit = r->b->machine->info.shared_bytes, bad = 0;
    const uint8_t *a = place_of(in, r->regs, 0);
    if (limit < 4)
        return false;
    if (in->a_bytes == 4) {
        const lane_u32 *base = (const lane_u32 *)(const void *)a;
        uint32_t plus = (uint32_t)in->offset;
        EACH_LANE offset[i] = base[i] + plus;
    } else {
        const lane_u64 *base = (const lane_u64 *)(const void *)a;
        uint64_t plus = (uint64_t)in->offset;
        EACH_LANE
        {
            uint64_t x = base[i] + plus;
            offset[i] = x >> 32 ? 1 : (uint32_t)x; /* 1: refused below */
        }
    }
    if (active == ALL_LANES)
        EACH_LANE bad |= (offset[i] & 3) | (offset[i] > limit - 4);
    else
        EACH_LANE
    bad |= (active >> i & 1) ? (offset[i] & 3) | (offset[i] > limit - 4) : 0;
    return bad == 0;
}

/* Active lanes touch consecutive words, in order; *row is where the word of
 * lane 0 is or would be (shared memory has a margin on both sides). */
static inline bool shared_row(const uint32_t *offset, uint32_t active,
                              int32_t *row)
{
    uint32_t first = (uint32_t)lane_first(active);
    uint32_t base = offset[first] - 4 * first, differ = 0;
    *row = (int32_t)base;
    if (active == ALL_LANES)
        EACH_LANE differ |= offset[i] ^ (base + 4 * (uint32_t)i);
    else
        EACH_LANE
    differ |= (active >> i & 1) ? offset[i] ^ (base + 4 * (uint32_t)i) : 0;
    return differ == 0;
}

static void tell_shared(struct run *r, const struct code_insn *in,
                        enum event_kind kind, uint32_t active,
                        const uint32_t *offset, const uint32_t *value,
                        bool is_row)
{
    _Alignas(64) uint64_t address[WARP_LANES], wide[WARP_LANES];
    if (is_row && r->b->gathers) {
        gather_row(r, in, active, offset[lane_first(active)],
                   kind == EVENT_STORE, true);
        return;
    }
    EACH_LANE address[i] = offset[i];
    if (value)
        EACH_LANE wide[i] = value[i];
    tell_access(r, in, kind, SPACE_SHARED, active, address, value ? wide : NULL,
                NULL, is_row);
}

/* ld.shared of one 4-byte value. */
static inline bool load_shared(struct run *r, const struct code_insn *in,
                               uint32_t active)
{
    _Alignas(64) uint32_t offset[WARP_LANES];
    int32_t row;
    if (!shared_offsets(r, in, active, offset))
        return false;
    bool is_row = shared_row(offset, active, &row);
    if (event_wanted(r->b, EVENT_LOAD))
        tell_shared(r, in, EVENT_LOAD, active, offset, NULL, is_row);
    lane_u32 *d = (lane_u32 *)(void *)(r->regs + in->d);
    const uint8_t *shared = r->b->shared;
    if (is_row) {
        _Alignas(64) uint32_t t[WARP_LANES];
        memcpy(t, shared + row, ROW4);
        merge4(d, t, active);
        return true;
    }
    for (uint32_t m = active; m; m &= m - 1) {
        int i = lane_first(m);
        memcpy(&d[i], shared + offset[i], 4);
    }
    return true;
}

static inline bool store_shared(struct run *r, const struct code_insn *in,
                                uint32_t active)
{
    _Alignas(64) uint32_t offset[WARP_LANES];
    int32_t row;
    if (!shared_offsets(r, in, active, offset))
        return false;
    const lane_u32 *v =
        (const lane_u32 *)(const void *)place_of(in, r->regs, 1);
    bool is_row = shared_row(offset, active, &row);
    if (event_wanted(r->b, EVENT_STORE))
        tell_shared(r, in, EVENT_STORE, active, offset, v, is_row);
    uint8_t *shared = r->b->shared;
    r->b->changes++; /* may be the same value: that only delays a finding */
    if (is_row) {
        _Alignas(64) uint32_t t[WARP_LANES];
        memcpy(t, shared + row, ROW4);
        merge4(t, v, active);
        memcpy(shared + row, t, ROW4);
        return true;
    }
    for (uint32_t m = active; m; m &= m - 1) {
        int i = lane_first(m);
        memcpy(shared + offset[i], &v[i], 4);
    }
    return true;
}

/* Warps step through global memory with a stride that the host's prefetcher
 * does not follow; so the cells that this instruction will read a few turns
 * from now are asked for here. */
static inline void look_ahead(struct run *r, const struct code_insn *in,
                              const struct buffer *buf, uint64_t at,
                              uint64_t bytes)
{
    enum { TURNS = 6, LINE = 64 };
    uint64_t *last = &r->w->last_row[(uint32_t)in->index % LAST_ROWS];
    uint64_t ahead = at + TURNS * (at - *last);
    *last = at;
    if (ahead >= buf->bytes || buf->bytes - ahead < bytes)
        return;
    const uint8_t *line = buf->data + ahead, *end = line + bytes;
    do
        __builtin_prefetch(line);
    while ((line += LINE) < end);
}

/* Words of consecutive cells at `from` into the registers of `active`. */
static inline void fill_lanes(const uint8_t *from, const struct code_insn *in,
                              uint8_t *regs, uint32_t active)
{
    int first = lane_first(active);
    for (uint32_t m = active; m; m &= m - 1) {
        int i = lane_first(m);
        const uint8_t *cell = from + (size_t)(i - first) * 4 * in->vector;
        for (int k = 0; k < in->vector; k++)
            memcpy(regs + in->elements[k].at + 4 * (size_t)i, cell + 4 * k, 4);
    }
}

/* Consecutive ld.global of 4-byte values, alone or in vectors of 2 and 4. */
static inline bool load_global(struct run *r, const struct code_insn *in,
                               uint32_t active)
{
    _Alignas(64) uint64_t address[WARP_LANES];
    struct block *b = r->b;
    struct buffer *buf = b->last_buffer;
    uint32_t size = 4u * in->vector, lanes = WARP_LANES;
    if (!buf || buf->freed || b->log_bytes)
        return false;
    lane_addresses(r, in, address);
    if (!consecutive(address, active, size))
        return false;
    uint64_t begin = address[0];
    if (active != ALL_LANES) {
        int first = lane_first(active);
        begin = address[first];
        lanes = WARP_LANES - (uint32_t)(__builtin_clz(active) + first);
    }
    uint64_t at = begin - buf->address; /* wraps if below */
    uint64_t bytes = (uint64_t)size * lanes;
    if (at >= buf->bytes || at + bytes > buf->bytes || begin & (size - 1))
        return false;
    if (b->gathers && lanes == (uint32_t)__builtin_popcount(active))
        gather_row(r, in, active, begin, false, false);
    else if (event_wanted(b, EVENT_LOAD))
        tell_access(r, in, EVENT_LOAD, SPACE_GLOBAL, active, address, NULL,
                    NULL, true);
    const uint8_t *from = buf->data + at;
    look_ahead(r, in, buf, at, bytes);
    if (active != ALL_LANES || in->vector > 4)
        fill_lanes(from, in, r->regs, active);
    else if (in->vector == 1)
        memcpy(r->regs + in->elements[0].at, from, ROW4);
    else
        load_row(from, in, r->regs);
    return true;
}

#endif
