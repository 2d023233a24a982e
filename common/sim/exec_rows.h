/* Values between registers and memory: an element of every lane, and whole
 * rows.  Included by exec_impl.c only. */
#ifndef SIM_EXEC_ROWS_H
#define SIM_EXEC_ROWS_H

#include "sim/exec_values.h"

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
    EACH_LANE differ |=
        (active >> i & 1) ? address[i] - (base + size * (uint64_t)i) : 0;
    return differ == 0;
}

/* ---- an element of every lane ---------------------------------------------*/

#define EACH_ACTIVE(active, body)                        \
    do {                                                 \
        if ((active) == ALL_LANES) {                     \
            for (int i = 0; i < WARP_LANES; i++) {       \
                body;                                    \
            }                                            \
        } else {                                         \
            for (uint32_t m = (active); m; m &= m - 1) { \
                int i = lane_first(m);                   \
                body;                                    \
            }                                            \
        }                                                \
    } while (0)

/* One element of every lane from memory: a value of type T into a register
 * of lanes R, through N (a sign fills 16 bits, or all). */
#define LOAD_AS(T, N, R)                                         \
    EACH_ACTIVE(active, T v; memcpy(&v, from + at[i], sizeof v); \
                ((R *)to)[i] = (R)(N)v)
#define LOAD_TYPE(T)                        \
    do {                                    \
        if (p->bytes == 8)                  \
            LOAD_AS(T, T, uint64_t);        \
        else if (p->narrow)                 \
            LOAD_AS(T, uint16_t, uint32_t); \
        else                                \
            LOAD_AS(T, T, uint32_t);        \
    } while (0)

static inline void load_element(const uint8_t *from, const uint64_t *at,
                                uint32_t active, const struct code_insn *in,
                                const struct slot *p, uint8_t *regs)
{
    void *to = regs + p->at;
    switch (in->size) {
    case 1:
        if (in->is_signed)
            LOAD_TYPE(int8_t);
        else
            LOAD_TYPE(uint8_t);
        break;
    case 2:
        if (in->is_signed)
            LOAD_TYPE(int16_t);
        else
            LOAD_TYPE(uint16_t);
        break;
    case 4:
        if (in->is_signed)
            LOAD_TYPE(int32_t);
        else
            LOAD_TYPE(uint32_t);
        break;
    default: LOAD_AS(uint64_t, uint64_t, uint64_t); break;
    }
}

/* The other way: the low bytes of a register's lanes go to to + at[i]. */
#define STORE_AS(T, R)                                        \
    EACH_ACTIVE(active, T v = (T)((const R *)from)[i]; T old; \
                memcpy(&old, to + at[i], sizeof old);         \
                differ |= (uint64_t)(old ^ v);                \
                memcpy(to + at[i], &v, sizeof v))
#define STORE_TYPE(T)              \
    do {                           \
        if (p->bytes == 8)         \
            STORE_AS(T, uint64_t); \
        else                       \
            STORE_AS(T, uint32_t); \
    } while (0)

/* Not 0 if memory was changed. */
static inline uint64_t store_element(uint8_t *to, const uint64_t *at,
                                     uint32_t active, int size,
                                     const struct slot *p, const uint8_t *regs)
{
    const void *from = p->constant ? (const void *)p->at : regs + p->at;
    uint64_t differ = 0;
    switch (size) {
    case 1: STORE_TYPE(uint8_t); break;
    case 2: STORE_TYPE(uint16_t); break;
    case 4: STORE_TYPE(uint32_t); break;
    default: STORE_TYPE(uint64_t); break;
    }
    return differ;
}

/* ---- whole rows -----------------------------------------------------------*/

/* All lanes, one after the other, 4 or 8 bytes an element in registers of just
 * that width: copied in pieces, vectors taken apart or put together. */
static inline bool is_plain_row(const struct code_insn *in, uint32_t active,
                                const uint64_t *address, uint32_t size)
{
    if (active != ALL_LANES || in->vector > 4 || in->size < 4)
        return false;
    for (int k = 0; k < in->vector; k++)
        if (in->elements[k].bytes != in->size || in->elements[k].sink)
            return false;
    return consecutive(address, active, size);
}

#define EACH_OF_ROW(vector, one, two, four) \
    do {                                    \
        if ((vector) == 1) {                \
            EACH_LANE one;                  \
        } else if ((vector) == 2) {         \
            EACH_LANE two;                  \
        } else {                            \
            EACH_LANE four;                 \
        }                                   \
    } while (0)

#define ROW_TYPES(LANE)                                                      \
    static inline void load_row_##LANE(                                      \
        const uint8_t *from, const struct code_insn *in, uint8_t *regs)      \
    {                                                                        \
        _Alignas(64) LANE t[4 * WARP_LANES];                                 \
        LANE *d[4];                                                          \
        memcpy(t, from, sizeof(LANE) * in->vector * WARP_LANES);             \
        for (int k = 0; k < 4; k++)                                          \
            d[k] = (LANE *)(void *)(regs + in->elements[k % in->vector].at); \
        EACH_OF_ROW(in->vector, d[0][i] = t[i],                              \
                    (d[0][i] = t[2 * i], d[1][i] = t[2 * i + 1]),            \
                    (d[0][i] = t[4 * i], d[1][i] = t[4 * i + 1],             \
                     d[2][i] = t[4 * i + 2], d[3][i] = t[4 * i + 3]));       \
    }                                                                        \
    static inline void row_of_##LANE(LANE *t, const struct code_insn *in,    \
                                     const uint8_t *regs)                    \
    {                                                                        \
        const LANE *a[4];                                                    \
        for (int k = 0; k < 4; k++) {                                        \
            const struct slot *p = &in->elements[k % in->vector];            \
            a[k] = (const LANE *)(const void *)(p->constant                  \
                                                    ? (const uint8_t *)p->at \
                                                    : regs + p->at);         \
        }                                                                    \
        EACH_OF_ROW(in->vector, t[i] = a[0][i],                              \
                    (t[2 * i] = a[0][i], t[2 * i + 1] = a[1][i]),            \
                    (t[4 * i] = a[0][i], t[4 * i + 1] = a[1][i],             \
                     t[4 * i + 2] = a[2][i], t[4 * i + 3] = a[3][i]));       \
    }
ROW_TYPES(lane_u32)
ROW_TYPES(lane_u64)

static inline void load_row(const uint8_t *from, const struct code_insn *in,
                            uint8_t *regs)
{
    if (in->size == 4)
        load_row_lane_u32(from, in, regs);
    else
        load_row_lane_u64(from, in, regs);
}

/* The row as it will lie in memory. */
static inline void row_of(uint8_t *to, const struct code_insn *in,
                          const uint8_t *regs)
{
    if (in->size == 4)
        row_of_lane_u32((lane_u32 *)(void *)to, in, regs);
    else
        row_of_lane_u64((lane_u64 *)(void *)to, in, regs);
}

#endif
