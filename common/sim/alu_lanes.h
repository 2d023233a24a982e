/* What the files alu_lanes_*.c share: how a loop over the lanes is written,
 * and the table in which each file lists its functions.
 *
 * These files are compiled once per level (see alu.c), with ALU_LEVEL set to
 * portable, avx2 or avx512.  They hold plain C: one loop over 32 lanes, no
 * branch inside, and the compiler turns the loop into a few vector
 * instructions.  A condition inside a loop is therefore written as
 * `p ? x : y` where both x and y are cheap and harmless. */
#ifndef SIM_ALU_LANES_H
#define SIM_ALU_LANES_H

#include "sim/alu.h"
#include <string.h>

#ifndef ALU_LEVEL
#define ALU_LEVEL portable
#endif
#define ALU_JOIN_NOW(name, level) name##_##level
#define ALU_JOIN(name, level) ALU_JOIN_NOW(name, level)
#define ALU_NAME(name) ALU_JOIN(name, ALU_LEVEL)

enum { LANES = 32 };

/* A lane holds an integer for one instruction and a float for the next:
 * may_alias tells the compiler so. */
typedef uint32_t lane_u32 __attribute__((may_alias));
typedef uint64_t lane_u64 __attribute__((may_alias));
typedef float lane_f32 __attribute__((may_alias));
typedef double lane_f64 __attribute__((may_alias));

/* d may be a or b, lane for lane, so no lane depends on another one. */
#if defined(__clang__)
/* some loops (64-bit division, say) cannot be vectorised; that is fine */
#pragma clang diagnostic ignored "-Wpass-failed"
#define EACH_LANE                                                             \
    _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < LANES; \
                                                        i++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (int i = 0; i < LANES; i++)
#endif
#define ALIGNED(pointer) __builtin_assume_aligned((pointer), 64)

/* For every type: the array that holds it, the C type of its value, the
 * unsigned type in which sums and products may wrap, the type that holds a
 * whole product, and how a value goes back into its lane. */
#define LANE_u16 lane_u32
#define LANE_s16 lane_u32
#define LANE_u32 lane_u32
#define LANE_s32 lane_u32
#define LANE_u64 lane_u64
#define LANE_s64 lane_u64
#define LANE_f32 lane_f32
#define LANE_f64 lane_f64
#define VALUE_u16 uint16_t
#define VALUE_s16 int16_t
#define VALUE_u32 uint32_t
#define VALUE_s32 int32_t
#define VALUE_u64 uint64_t
#define VALUE_s64 int64_t
#define VALUE_f32 float
#define VALUE_f64 double
#define WRAP_u16 uint32_t
#define WRAP_s16 uint32_t
#define WRAP_u32 uint32_t
#define WRAP_s32 uint32_t
#define WRAP_u64 uint64_t
#define WRAP_s64 uint64_t
#define TWICE_u16 uint32_t
#define TWICE_s16 int32_t
#define TWICE_u32 uint64_t
#define TWICE_s32 int64_t
#define TWICE_u64 unsigned __int128
#define TWICE_s64 __int128
#define WRAP(T, x) ((WRAP_##T)(x))
#define TWICE(T, x) ((TWICE_##T)(x))
#define PUT_u16(x) ((uint16_t)(x))
#define PUT_s16(x) ((uint16_t)(x))
#define PUT_u32(x) ((uint32_t)(x))
#define PUT_s32(x) ((uint32_t)(x))
#define PUT_u64(x) ((uint64_t)(x))
#define PUT_s64(x) ((uint64_t)(x))
#define PUT_f32(x) (x)
#define PUT_f64(x) (x)
#define BITS_u16 16
#define BITS_s16 16
#define BITS_u32 32
#define BITS_s32 32
#define BITS_u64 64
#define BITS_s64 64

/* A function d = expression of the lanes A, B, C and E.  TD, TA ... name the
 * types (u32, f64 ...) of destination and sources. */
#define ALU_HEAD(name)                                                         \
    static void name(void *d_, const void *a_, const void *b_, const void *c_, \
                     const void *e_)
#define ALU_UNUSED(x) (void)(x)
#define UNARY(name, TD, TA, expression)                 \
    ALU_HEAD(name)                                      \
    {                                                   \
        LANE_##TD *d = ALIGNED(d_);                     \
        const LANE_##TA *a = ALIGNED(a_);               \
        ALU_UNUSED(b_), ALU_UNUSED(c_), ALU_UNUSED(e_); \
        EACH_LANE                                       \
        {                                               \
            VALUE_##TA A = (VALUE_##TA)a[i];            \
            d[i] = PUT_##TD(expression);                \
        }                                               \
    }
#define BINARY(name, TD, TA, TB, expression) \
    ALU_HEAD(name)                           \
    {                                        \
        LANE_##TD *d = ALIGNED(d_);          \
        const LANE_##TA *a = ALIGNED(a_);    \
        const LANE_##TB *b = ALIGNED(b_);    \
        ALU_UNUSED(c_), ALU_UNUSED(e_);      \
        EACH_LANE                            \
        {                                    \
            VALUE_##TA A = (VALUE_##TA)a[i]; \
            VALUE_##TB B = (VALUE_##TB)b[i]; \
            d[i] = PUT_##TD(expression);     \
        }                                    \
    }
#define TERNARY(name, TD, TA, TB, TC, expression) \
    ALU_HEAD(name)                                \
    {                                             \
        LANE_##TD *d = ALIGNED(d_);               \
        const LANE_##TA *a = ALIGNED(a_);         \
        const LANE_##TB *b = ALIGNED(b_);         \
        const LANE_##TC *c = ALIGNED(c_);         \
        ALU_UNUSED(e_);                           \
        EACH_LANE                                 \
        {                                         \
            VALUE_##TA A = (VALUE_##TA)a[i];      \
            VALUE_##TB B = (VALUE_##TB)b[i];      \
            VALUE_##TC C = (VALUE_##TC)c[i];      \
            d[i] = PUT_##TD(expression);          \
        }                                         \
    }
#define QUATERNARY(name, TD, TA, TB, TC, TE, expression) \
    ALU_HEAD(name)                                       \
    {                                                    \
        LANE_##TD *d = ALIGNED(d_);                      \
        const LANE_##TA *a = ALIGNED(a_);                \
        const LANE_##TB *b = ALIGNED(b_);                \
        const LANE_##TC *c = ALIGNED(c_);                \
        const LANE_##TE *e = ALIGNED(e_);                \
        EACH_LANE                                        \
        {                                                \
            VALUE_##TA A = (VALUE_##TA)a[i];             \
            VALUE_##TB B = (VALUE_##TB)b[i];             \
            VALUE_##TC C = (VALUE_##TC)c[i];             \
            VALUE_##TE E = (VALUE_##TE)e[i];             \
            d[i] = PUT_##TD(expression);                 \
        }                                                \
    }

/* Bits of a float and back. */
static inline uint32_t f32_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline float f32_from(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline uint64_t f64_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline double f64_from(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Lanes of all ones or all zeros to a bit a lane. */
#if defined(__AVX512DQ__)
#include <immintrin.h>
static inline uint32_t mask_of_32(const int32_t *hit)
{
    return (uint32_t)_mm512_movepi32_mask(_mm512_load_si512(hit)) |
           (uint32_t)_mm512_movepi32_mask(_mm512_load_si512(hit + 16)) << 16;
}
static inline uint32_t mask_of_64(const int64_t *hit)
{
    uint32_t mask = 0;
    for (int i = 0; i < 4; i++)
        mask |= (uint32_t)_mm512_movepi64_mask(_mm512_load_si512(hit + 8 * i))
                << (8 * i);
    return mask;
}
#elif defined(__AVX2__)
#include <immintrin.h>
static inline uint32_t mask_of_32(const int32_t *hit)
{
    uint32_t mask = 0;
    for (int i = 0; i < 4; i++)
        mask |= (uint32_t)_mm256_movemask_ps(
                    _mm256_load_ps((const float *)(const void *)(hit + 8 * i)))
                << (8 * i);
    return mask;
}
static inline uint32_t mask_of_64(const int64_t *hit)
{
    uint32_t mask = 0;
    for (int i = 0; i < 8; i++)
        mask |= (uint32_t)_mm256_movemask_pd(
                    _mm256_load_pd((const double *)(const void *)(hit + 4 * i)))
                << (4 * i);
    return mask;
}
#else
static __attribute__((noinline, unused)) uint32_t mask_of_32(const int32_t *hit)
{
    uint32_t mask = 0;
    for (int i = 0; i < LANES; i++)
        mask |= (uint32_t)hit[i] & (1u << i);
    return mask;
}
static __attribute__((noinline, unused)) uint32_t mask_of_64(const int64_t *hit)
{
    uint32_t mask = 0;
    for (int i = 0; i < LANES; i++)
        mask |= (uint32_t)hit[i] & (1u << i);
    return mask;
}
#endif
#define HIT_u16 int32_t
#define HIT_s16 int32_t
#define HIT_u32 int32_t
#define HIT_s32 int32_t
#define HIT_f32 int32_t
#define HIT_u64 int64_t
#define HIT_s64 int64_t
#define HIT_f64 int64_t
#define MASK_u16 mask_of_32
#define MASK_s16 mask_of_32
#define MASK_u32 mask_of_32
#define MASK_s32 mask_of_32
#define MASK_f32 mask_of_32
#define MASK_u64 mask_of_64
#define MASK_s64 mask_of_64
#define MASK_f64 mask_of_64

/* One row per form of an instruction; alu_find looks for the row that equals
 * the instruction in every field.  `how` is the rounding, the comparison or
 * the mode, whichever the opcode has. */
struct alu_row {
    uint8_t op, type, type2, how;
    uint32_t flags;
    struct alu alu;
};
/* Internal flag: the row looks at the upper halves of packed pairs. */
#define ALU_HIGH_HALF (1u << 31)
struct alu_table {
    const struct alu_row *rows;
    size_t count;
};
#define ROW(op, type, type2, how, flags, function) \
    {OP_##op, PTX_##type, PTX_##type2,             \
     how,     flags,      {ALU_VALUE, {.value = function}, 0}},
#define ROW_COMPARE(op, type, how, flags, function) \
    {OP_##op, PTX_##type, PTX_NONE,                 \
     how,     flags,      {ALU_COMPARE, {.compare = function}, 0}},
#define ROW_CARRY(op, type, flags, function) \
    {OP_##op, PTX_##type, PTX_NONE,          \
     0,       flags,      {ALU_CARRY, {.carry = function}, 0}},
/* At the end of a file: its table under a name that carries the level. */
#define ALU_TABLE(name) \
    const struct alu_table ALU_NAME(name) = {rows, sizeof rows / sizeof *rows}

#endif
