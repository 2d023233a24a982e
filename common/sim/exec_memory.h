/* The fast ways to memory; included by exec_impl.c only.  Each returns false
 * when an access is not of its simple kind, with nothing done: access_memory
 * then takes it lane by lane. */
#ifndef SIM_EXEC_MEMORY_H
#define SIM_EXEC_MEMORY_H

#include "sim/exec_values.h"

static inline void lane_addresses(const struct run *r,
                                  const struct code_insn *in,
                                  uint64_t *address)
{
    const uint64_t *a = (const uint64_t *)(void *)place_of(in, r->regs, 0);
    uint64_t plus = (uint64_t)in->offset;
    EACH_LANE address[i] = a[i] + plus;
}

/* Active lanes touch consecutive cells of `size` bytes, in order. */
static inline bool consecutive(const uint64_t *address, uint32_t active,
                               uint32_t size)
{
    uint64_t first = (uint64_t)lane_first(active);
    uint64_t base = address[first] - size * first, differ = 0;
    if (active == ALL_LANES) {
        EACH_LANE differ |= address[i] - (base + size * (uint64_t)i);
        return differ == 0;
    }
    EACH_LANE differ |= (active >> i & 1)
                            ? address[i] - (base + size * (uint64_t)i)
                            : 0;
    return differ == 0;
}

static void tell_access(struct run *r, const struct code_insn *in,
                        enum event_kind kind, enum ptx_space space,
                        uint32_t active, const uint64_t *address,
                        const uint64_t *value)
{
    struct event ev = { .kind = kind, .function = r->function,
                        .insn = in->insn, .warp = r->w->index,
                        .active = active, .space = space, .address = address,
                        .size = (uint32_t)in->size * in->vector,
                        .is_write = kind == EVENT_STORE, .value = value };
    event_send(r->b, &ev);
}

/* Bytes of whole-warp rows: shared memory has a margin on both sides. */
enum { ROW4 = 4 * WARP_LANES };

/* All active lanes are aligned and end at or below `limit`. */
static inline bool all_inside(const uint64_t *address, uint32_t active,
                              uint32_t size, uint64_t limit)
{
    uint64_t bad = 0, last = limit - size;
    if (limit < size)
        return false;
    EACH_LANE
    {
        uint64_t a = (active >> i & 1) ? address[i] : 0;
        bad |= (a & (size - 1)) | (uint64_t)(a > last);
    }
    return bad == 0;
}

/* ld.shared of one 4-byte value; false: take the slow way. */
static inline bool load_shared(struct run *r, const struct code_insn *in,
                               uint32_t active)
{
    _Alignas(64) uint64_t address[WARP_LANES];
    uint64_t limit = r->b->machine->info.shared_bytes;
    lane_addresses(r, in, address);
    if (!all_inside(address, active, 4, limit))
        return false;
    if (event_wanted(r->b, EVENT_LOAD))
        tell_access(r, in, EVENT_LOAD, SPACE_SHARED, active, address, NULL);
    uint32_t *d = (uint32_t *)(void *)(r->regs + in->d);
    const uint8_t *shared = r->b->shared;
    if (consecutive(address, active, 4)) {
        int first = lane_first(active);
        const uint8_t *row = shared + address[first] - 4 * (size_t)first;
        _Alignas(64) uint32_t t[WARP_LANES];
        memcpy(t, row, ROW4);
        merge4(d, t, active);
        return true;
    }
    for (uint32_t m = active; m; m &= m - 1) {
        int i = lane_first(m);
        memcpy(&d[i], shared + address[i], 4);
    }
    return true;
}

static inline bool store_shared(struct run *r, const struct code_insn *in,
                                uint32_t active)
{
    _Alignas(64) uint64_t address[WARP_LANES];
    uint64_t limit = r->b->machine->info.shared_bytes;
    lane_addresses(r, in, address);
    if (!all_inside(address, active, 4, limit))
        return false;
    const uint32_t *v = (const uint32_t *)(void *)place_of(in, r->regs, 1);
    if (event_wanted(r->b, EVENT_STORE)) {
        uint64_t value[WARP_LANES];
        EACH_LANE value[i] = v[i];
        tell_access(r, in, EVENT_STORE, SPACE_SHARED, active, address, value);
    }
    uint8_t *shared = r->b->shared;
    r->b->changes++; /* may be the same value: only delays a finding */
    if (active == ALL_LANES && consecutive(address, active, 4)) {
        memcpy(shared + address[0], v, ROW4);
        return true;
    }
    for (uint32_t m = active; m; m &= m - 1) {
        int i = lane_first(m);
        memcpy(shared + address[i], &v[i], 4);
    }
    return true;
}

/* Consecutive ld.global of 4-byte values, alone or in vectors of 2 and 4. */
static inline bool load_global(struct run *r, const struct code_insn *in,
                               uint32_t active)
{
    _Alignas(64) uint64_t address[WARP_LANES];
    struct block *b = r->b;
    struct buffer *buf = b->last_buffer;
    uint32_t size = 4u * in->vector;
    if (!buf || buf->freed || b->log_bytes)
        return false;
    lane_addresses(r, in, address);
    if (!consecutive(address, active, size))
        return false;
    uint64_t first = (uint64_t)lane_first(active);
    uint64_t at = address[first] - buf->address; /* wraps if below */
    uint64_t end = at + size * (32 - (uint64_t)__builtin_clz(active) - first);
    if (at >= buf->bytes || end > buf->bytes || address[first] % size)
        return false;
    if (event_wanted(b, EVENT_LOAD))
        tell_access(r, in, EVENT_LOAD, SPACE_GLOBAL, active, address, NULL);
    const uint8_t *from = buf->data + at;
    if (active == ALL_LANES && in->vector == 1) {
        memcpy(r->regs + in->elements[0].at, from, ROW4);
        return true;
    }
    for (uint32_t m = active; m; m &= m - 1) {
        uint64_t i = (uint64_t)lane_first(m);
        const uint8_t *cell = from + (i - first) * size;
        for (int k = 0; k < in->vector; k++)
            memcpy(r->regs + in->elements[k].at + 4 * i, cell + 4 * k, 4);
    }
    return true;
}

#endif
