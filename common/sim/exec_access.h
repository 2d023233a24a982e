/* The common way to memory, for what the fast ways of exec_memory.h leave:
 * every width, space and pattern as long as all lanes go to one place - one
 * buffer, the block's shared or the warp's local memory - and nothing is wrong
 * with any.  Included by exec_impl.c only.  access_quick returns false with
 * nothing done if an access is not so: access_memory then takes it lane by
 * lane, tells what is wrong and waits where it must. */
#ifndef SIM_EXEC_ACCESS_H
#define SIM_EXEC_ACCESS_H

#include "sim/exec_memory.h"

/* Lane i goes to base[at[i]] on the host, and to address[i] in its space. */
struct reach {
    enum ptx_space space;
    uint8_t *base;
    uint32_t size; /* bytes of a lane */
    _Alignas(64) uint64_t address[WARP_LANES];
    _Alignas(64) uint64_t at[WARP_LANES];
};

/* ---- where it goes --------------------------------------------------------*/

static inline void reach_addresses(const struct run *r,
                                   const struct code_insn *in, uint64_t *to)
{
    const uint8_t *a = place_of(in, r->regs, 0);
    uint64_t plus = (uint64_t)in->offset;
    if (in->local_base)
        plus += r->split->frame->local_base;
    const lane_u64 *wide = (const lane_u64 *)(const void *)a;
    const lane_u32 *narrow = (const lane_u32 *)(const void *)a;
    uint32_t low = (uint32_t)plus;
    if (in->a_bytes == 8)
        EACH_LANE to[i] = wide[i] + plus;
    else
        EACH_LANE to[i] = narrow[i] + low;
}

/* The buffer of a global address that may be accessed so; NULL: ask
 * access_memory. */
static inline struct buffer *reach_buffer(struct block *b, uint64_t address,
                                          bool is_write)
{
    struct buffer *buf = b->last_buffer;
    if (!buf || address - buf->address >= buf->bytes) {
        buf = memory_find(b->machine->memory, address);
        if (!buf)
            return NULL;
        b->last_buffer = buf;
    }
    return buf->freed || (is_write && buf->role != BUFFER_DATA) ? NULL : buf;
}

/* Finds the space of the first lane's address, where that lies on the host,
 * how long it is and which address it begins with. */
static inline bool reach_space(struct run *r, const struct code_insn *in,
                               uint64_t first, bool is_write, struct reach *x,
                               uint64_t *origin, uint64_t *bytes)
{
    struct block *b = r->b;
    *origin = 0;
    x->space = in->space;
    if (in->space == SPACE_GENERIC) {
        bool is_shared = first - SHARED_WINDOW < WINDOW_BYTES;
        bool is_local = first - LOCAL_WINDOW < WINDOW_BYTES;
        *origin = is_shared ? SHARED_WINDOW : is_local ? LOCAL_WINDOW : 0;
        x->space = is_shared  ? SPACE_SHARED
                   : is_local ? SPACE_LOCAL
                              : SPACE_GLOBAL;
    }
    if (x->space == SPACE_SHARED) {
        x->base = b->shared;
        *bytes = b->machine->info.shared_bytes;
        return true;
    }
    if (x->space == SPACE_LOCAL) {
        if (!b->local) /* access_memory makes it */
            return false;
        *bytes = b->machine->image->local_bytes;
        x->base = b->local + *bytes * WARP_LANES * r->w->index;
        return true;
    }
    struct buffer *buf = reach_buffer(b, first, is_write);
    if (!buf)
        return false;
    x->space = SPACE_GLOBAL;
    x->base = buf->data;
    *origin = buf->address;
    *bytes = buf->bytes;
    return true;
}

/* False if some lane goes elsewhere or is refused. */
static inline bool reach_find(struct run *r, const struct code_insn *in,
                              uint32_t active, bool is_write, struct reach *x)
{
    uint64_t origin, bytes, bad = 0;
    x->size = (uint32_t)in->size * in->vector;
    reach_addresses(r, in, x->address);
    if (!reach_space(r, in, x->address[lane_first(active)], is_write, x,
                     &origin, &bytes) ||
        bytes < x->size)
        return false;
    uint64_t most = bytes - x->size, low = x->size - 1;
    EACH_LANE x->at[i] = x->address[i] - origin;
    EACH_LANE
    {
        uint64_t wrong = (x->address[i] & low) | (x->at[i] > most);
        bad |= active >> i & 1 ? wrong : 0;
    }
    if (bad)
        return false;
    if (x->space == SPACE_GLOBAL)
        return true;
    uint64_t step = x->space == SPACE_LOCAL ? bytes : 0; /* between threads */
    EACH_LANE
    {
        x->address[i] = x->at[i]; /* an offset in the space */
        x->at[i] += step * (uint64_t)i;
    }
    return true;
}

/* ---- loads ----------------------------------------------------------------*/

static bool quick_load(struct run *r, const struct code_insn *in,
                       uint32_t active)
{
    struct block *b = r->b;
    struct reach x;
    if (!reach_find(r, in, active, false, &x))
        return false;
    if (x.space == SPACE_GLOBAL && b->mode == MODE_APART &&
        (in->ordered || kept_overlaps(b, x.address, active, x.size)))
        return false;
    if (event_wanted(b, EVENT_LOAD))
        tell_access(r, in, EVENT_LOAD, x.space, active, x.address, NULL, NULL,
                    consecutive(x.address, active, x.size));
    if (x.space != SPACE_LOCAL && is_plain_row(in, active, x.address, x.size)) {
        load_row(x.base + x.at[0], in, r->regs);
        return true;
    }
    for (int k = 0; k < in->vector; k++)
        if (!in->elements[k].sink)
            load_element(x.base + (size_t)k * in->size, x.at, active, in,
                         &in->elements[k], r->regs);
    return true;
}

/* ---- stores ---------------------------------------------------------------*/

static void tell_store(struct run *r, const struct code_insn *in,
                       uint32_t active, const struct reach *x)
{
    _Alignas(64) uint64_t value[2][WARP_LANES] = {{0}};
    uint64_t low = in->size == 8 ? ~0ull : (1ull << (8 * in->size)) - 1;
    bool has_value = x->size <= sizeof value / WARP_LANES;
    for (int k = 0; has_value && k < in->vector; k++) {
        uint32_t at = (uint32_t)k * in->size;
        for (int i = 0; i < WARP_LANES; i++)
            value[at / 8][i] |= (place_lane(&in->elements[k], r->regs, i) & low)
                                << 8 * (at % 8);
    }
    tell_access(r, in, EVENT_STORE, x->space, active, x->address,
                has_value ? value[0] : NULL,
                has_value && x->size > 8 ? value[1] : NULL,
                consecutive(x->address, active, x->size));
}

/* A store to global memory that is kept back until the block's turn. */
static void keep_store(struct block *b, const struct code_insn *in,
                       uint32_t active, const struct reach *x,
                       const uint8_t *regs)
{
    _Alignas(64) uint8_t value[WARP_LANES * 32];
    _Alignas(64) uint64_t at[WARP_LANES];
    if (is_plain_row(in, active, x->address, x->size)) {
        row_of(value, in, regs);
        kept_row(b, x->address[0], WARP_LANES, value, x->size);
        return;
    }
    uint32_t first = (uint32_t)lane_first(active);
    uint32_t run = active >> first;
    EACH_LANE at[i] = (uint64_t)i * x->size;
    for (int k = 0; k < in->vector; k++)
        store_element(value + (size_t)k * in->size, at, active, in->size,
                      &in->elements[k], regs);
    if ((run & (run + 1)) == 0 && consecutive(x->address, active, x->size))
        kept_row(b, x->address[first], (uint32_t)__builtin_popcount(run),
                 value + (size_t)first * x->size, x->size);
    else
        kept_write(b, x->address, active, value, x->size, NULL);
}

static void note_local(struct warp *w, const struct reach *x, uint32_t active)
{
    uint64_t high = 0;
    for (uint32_t m = active; m; m &= m - 1)
        if (x->address[lane_first(m)] > high)
            high = x->address[lane_first(m)];
    if (w->local_high < high + x->size)
        w->local_high = (uint32_t)high + x->size;
}

static bool quick_store(struct run *r, const struct code_insn *in,
                        uint32_t active)
{
    struct block *b = r->b;
    struct reach x;
    if (!reach_find(r, in, active, true, &x))
        return false;
    bool is_kept = x.space == SPACE_GLOBAL && b->mode == MODE_APART;
    if (is_kept && block_holds_much(b))
        return false;
    if (event_wanted(b, EVENT_STORE))
        tell_store(r, in, active, &x);
    if (is_kept) {
        keep_store(b, in, active, &x, r->regs);
        return true;
    }
    if (x.space == SPACE_LOCAL)
        note_local(r->w, &x, active);
    uint64_t differ = 0;
    _Alignas(64) uint8_t value[WARP_LANES * 32];
    if (x.space != SPACE_LOCAL && is_plain_row(in, active, x.address, x.size)) {
        size_t length = (size_t)x.size * WARP_LANES;
        row_of(value, in, r->regs);
        differ = memcmp(x.base + x.at[0], value, length) != 0;
        memcpy(x.base + x.at[0], value, length);
    } else {
        for (int k = 0; k < in->vector; k++)
            differ |= store_element(x.base + (size_t)k * in->size, x.at, active,
                                    in->size, &in->elements[k], r->regs);
    }
    *(x.space == SPACE_GLOBAL ? &b->machine->changes : &b->changes) +=
        differ != 0;
    return true;
}

/* ---- atomics --------------------------------------------------------------*/

static void tell_atomic(struct run *r, const struct code_insn *in,
                        uint32_t active, const struct reach *x)
{
    struct event ev = {.kind = EVENT_ATOMIC,
                       .function = r->function,
                       .insn = in->insn,
                       .warp = r->w->index,
                       .active = active,
                       .space = x->space,
                       .address = x->address,
                       .size = x->size,
                       .operand = place_of(in, r->regs, 1),
                       .is_write = true,
                       .is_atomic = true};
    event_send(r->b, &ev);
}

/* Lane i of operand k. */
static inline uint64_t atomic_source(const struct run *r,
                                     const struct code_insn *in, int k, int i)
{
    const uint8_t *from = place_of(in, r->regs, k);
    return in->size == 8 ? ((const uint64_t *)(const void *)from)[i]
                         : ((const uint32_t *)(const void *)from)[i];
}

/* A red to global memory that is kept back until the block's turn. */
static void keep_red(struct run *r, const struct code_insn *in, uint32_t active,
                     const struct reach *x)
{
    uint8_t value[WARP_LANES * 8];
    if (in->size >= 4 &&
        kept_red(r->b, in, place_of(in, r->regs, 1), x->address, active))
        return;
    for (uint32_t m = active; m; m &= m - 1) {
        int i = lane_first(m);
        uint64_t v = atomic_source(r, in, 1, i);
        memcpy(value + (size_t)i * in->size, &v, in->size);
    }
    kept_write(r->b, x->address, active, value, in->size, in->atomic);
}

/* One lane after the other; 1 if memory was changed. */
#define ATOMICS(name, T, R)                                         \
    static uint64_t name(struct run *r, const struct code_insn *in, \
                         uint32_t active, const struct reach *x)    \
    {                                                               \
        const R *a = (const R *)(void *)place_of(in, r->regs, 1);   \
        const R *c = (const R *)(void *)place_of(in, r->regs, 2);   \
        bool has_c = in->src[2] != 0;                               \
        uint8_t *d = r->regs + in->d;                               \
        uint64_t differ = 0;                                        \
        for (uint32_t m = active; m; m &= m - 1) {                  \
            int i = lane_first(m);                                  \
            T old, value;                                           \
            memcpy(&old, x->base + x->at[i], sizeof old);           \
            value = (T)in->atomic(old, a[i], has_c ? c[i] : 0);     \
            memcpy(x->base + x->at[i], &value, sizeof value);       \
            differ |= (uint64_t)(old ^ value);                      \
            if (in->answer && in->d_bytes == 8)                     \
                ((uint64_t *)(void *)d)[i] = old;                   \
            else if (in->answer)                                    \
                ((uint32_t *)(void *)d)[i] = (uint32_t)old;         \
        }                                                           \
        return differ != 0;                                         \
    }
ATOMICS(atomics_u16, uint16_t, uint32_t)
ATOMICS(atomics_u32, uint32_t, uint32_t)
ATOMICS(atomics_u64, uint64_t, uint64_t)

static bool quick_atomic(struct run *r, const struct code_insn *in,
                         uint32_t active)
{
    struct block *b = r->b;
    struct reach x;
    if (!reach_find(r, in, active, true, &x))
        return false;
    bool is_global = x.space == SPACE_GLOBAL;
    bool is_kept = is_global && b->mode == MODE_APART;
    if (x.space == SPACE_LOCAL ||
        (is_kept && (in->answer || in->src[2] || block_holds_much(b))))
        return false;
    if (event_wanted(b, EVENT_ATOMIC))
        tell_atomic(r, in, active, &x);
    if (is_kept) {
        keep_red(r, in, active, &x);
        return true;
    }
    uint64_t *changes = is_global ? &b->machine->changes : &b->changes;
    if (in->size == 4)
        *changes += atomics_u32(r, in, active, &x);
    else if (in->size == 8)
        *changes += atomics_u64(r, in, active, &x);
    else
        *changes += atomics_u16(r, in, active, &x);
    return true;
}

static inline bool access_quick(struct run *r, const struct code_insn *in,
                                uint32_t active)
{
    switch ((enum exec)in->exec) {
    case X_LOAD:
    case X_LOAD_SHARED:
    case X_LOAD_GLOBAL: return quick_load(r, in, active);
    case X_STORE:
    case X_STORE_SHARED: return quick_store(r, in, active);
    case X_ATOMIC: return quick_atomic(r, in, active);
    default: return false;
    }
}

#endif
