/* Comparisons (PTX ISA 9.3, 9.7.6): setp, set and testp give a bit a lane.
 *
 * Of a float comparison the plain operators are false when an operand is
 * NaN, those that end in u are true.  f16 and bf16 are compared as the floats
 * they stand for; of a packed pair, a function looks at one half. */
#include "sim/alu_half.h"
#include "sim/alu_lanes.h"

#define COMPARE(name, T, LOAD, condition)                  \
    static uint32_t name(const void *a_, const void *b_)   \
    {                                                      \
        const LANE_##T *a = ALIGNED(a_), *b = ALIGNED(b_); \
        HIT_##T hit[LANES] __attribute__((aligned(64)));   \
        EACH_LANE                                          \
        {                                                  \
            LOAD(T)                                        \
            hit[i] = -(HIT_##T)(condition);                \
        }                                                  \
        return MASK_##T(hit);                              \
    }
#define AS_IS(T) VALUE_##T A = (VALUE_##T)a[i], B = (VALUE_##T)b[i];

/* ---- integers ------------------------------------------------------------ */
#define EQUALITIES(X, ...) X(EQ, ==, __VA_ARGS__) X(NE, !=, __VA_ARGS__)
#define ORDERINGS(X, ...) \
    X(LT, <, __VA_ARGS__) \
    X(LE, <=, __VA_ARGS__) X(GT, >, __VA_ARGS__) X(GE, >=, __VA_ARGS__)
#define DEFINE_INTEGER(CMP, operator, T) \
    COMPARE(compare_##CMP##_##T, T, AS_IS, A operator B)
#define WIDTHS(X)              \
    X(u16, U16, S16, B16, s16) \
    X(u32, U32, S32, B32, s32) X(u64, U64, S64, B64, s64)
#define DEFINE_WIDTH(U, UNSIGNED, SIGNED, BITS, S) \
    EQUALITIES(DEFINE_INTEGER, U)                  \
    ORDERINGS(DEFINE_INTEGER, U)                   \
    ORDERINGS(DEFINE_INTEGER, S)
WIDTHS(DEFINE_WIDTH)

#define ROW_AS(CMP, operator, TYPE, T) \
    ROW_COMPARE(SETP, TYPE, CMP_##CMP, 0, compare_##CMP##_##T)
#define ROWS_WIDTH(U, UNSIGNED, SIGNED, BITS, S)           \
    EQUALITIES(ROW_AS, UNSIGNED, U)                        \
    EQUALITIES(ROW_AS, SIGNED, U)                          \
    EQUALITIES(ROW_AS, BITS, U)                            \
    ORDERINGS(ROW_AS, UNSIGNED, U)                         \
    ORDERINGS(ROW_AS, SIGNED, S)                           \
    ROW_COMPARE(SETP, UNSIGNED, CMP_LO, 0, compare_LT_##U) \
    ROW_COMPARE(SETP, UNSIGNED, CMP_LS, 0, compare_LE_##U) \
    ROW_COMPARE(SETP, UNSIGNED, CMP_HI, 0, compare_GT_##U) \
    ROW_COMPARE(SETP, UNSIGNED, CMP_HS, 0, compare_GE_##U)

/* ---- floats -------------------------------------------------------------- */
/* Seven operators are computed, the other seven are their opposites. */
#define ORDERED (A == A && B == B)
#define OPERATORS(X, ...)                       \
    X(EQ, A == B, NEU, __VA_ARGS__)             \
    X(NE, (A != B) & ORDERED, EQU, __VA_ARGS__) \
    X(LT, A < B, GEU, __VA_ARGS__)              \
    X(LE, A <= B, GTU, __VA_ARGS__)             \
    X(GT, A > B, LEU, __VA_ARGS__)              \
    X(GE, A >= B, LTU, __VA_ARGS__) X(NUM, ORDERED, NAN, __VA_ARGS__)
#define FLUSHED(T) float A = flush_f32(a[i]), B = flush_f32(b[i]);

#define OPPOSITE(CMP, NOT, name)                                         \
    static uint32_t compare_##NOT##_##name(const void *a, const void *b) \
    {                                                                    \
        return ~compare_##CMP##_##name(a, b);                            \
    }
#define DEFINE_FLOAT(CMP, condition, NOT, name, T, LOAD) \
    COMPARE(compare_##CMP##_##name, T, LOAD, condition)  \
    OPPOSITE(CMP, NOT, name)
OPERATORS(DEFINE_FLOAT, f32, f32, AS_IS)
OPERATORS(DEFINE_FLOAT, f32_ftz, f32, FLUSHED)
OPERATORS(DEFINE_FLOAT, f64, f64, AS_IS)

/* Halves become f32, 32 lanes of a and of b, and are compared as such. */
struct widened {
    lane_f32 a[LANES], b[LANES];
} __attribute__((aligned(64)));
#define WIDEN(name, read)                                  \
    static __attribute__((noinline)) void widen_##name(    \
        struct widened *w, const void *a_, const void *b_) \
    {                                                      \
        const lane_u32 *a = ALIGNED(a_), *b = ALIGNED(b_); \
        EACH_LANE                                          \
        {                                                  \
            w->a[i] = read(a[i]);                          \
            w->b[i] = read(b[i]);                          \
        }                                                  \
    }
#define F16(x) f32_of_f16(x)
#define F16_FTZ(x) f32_of_f16(flush_f16(x))
#define BF16(x) f32_of_bf16(x)
#define F16_HIGH(x) F16((x) >> 16)
#define F16_HIGH_FTZ(x) F16_FTZ((x) >> 16)
#define BF16_HIGH(x) BF16((x) >> 16)
#define HALVES(X)       \
    X(f16, F16)         \
    X(f16_ftz, F16_FTZ) \
    X(bf16, BF16)       \
    X(f16_high, F16_HIGH) X(f16_high_ftz, F16_HIGH_FTZ) X(bf16_high, BF16_HIGH)
#define DEFINE_HALF(CMP, condition, NOT, name)                           \
    static uint32_t compare_##CMP##_##name(const void *a, const void *b) \
    {                                                                    \
        struct widened w;                                                \
        widen_##name(&w, a, b);                                          \
        return compare_##CMP##_f32(w.a, w.b);                            \
    }                                                                    \
    OPPOSITE(CMP, NOT, name)
#define DEFINE_HALVES(name, read) \
    WIDEN(name, read)             \
    OPERATORS(DEFINE_HALF, name)
HALVES(DEFINE_HALVES)

#define ROW_FLOAT(CMP, condition, NOT, name, TYPE, flags)             \
    ROW_COMPARE(SETP, TYPE, CMP_##CMP, flags, compare_##CMP##_##name) \
    ROW_COMPARE(SETP, TYPE, CMP_##NOT, flags, compare_##NOT##_##name)
#define ROWS_FLOATS                                                     \
    OPERATORS(ROW_FLOAT, f32, F32, 0)                                   \
    OPERATORS(ROW_FLOAT, f32_ftz, F32, FLAG_FTZ)                        \
    OPERATORS(ROW_FLOAT, f64, F64, 0)                                   \
    OPERATORS(ROW_FLOAT, f16, F16, 0)                                   \
    OPERATORS(ROW_FLOAT, f16_ftz, F16, FLAG_FTZ)                        \
    OPERATORS(ROW_FLOAT, bf16, BF16, 0)                                 \
    OPERATORS(ROW_FLOAT, f16, F16X2, 0)                                 \
    OPERATORS(ROW_FLOAT, f16_ftz, F16X2, FLAG_FTZ)                      \
    OPERATORS(ROW_FLOAT, bf16, BF16X2, 0)                               \
    OPERATORS(ROW_FLOAT, f16_high, F16X2, ALU_HIGH_HALF)                \
    OPERATORS(ROW_FLOAT, f16_high_ftz, F16X2, FLAG_FTZ | ALU_HIGH_HALF) \
    OPERATORS(ROW_FLOAT, bf16_high, BF16X2, ALU_HIGH_HALF)

/* ---- testp (9.7.3): what kind of number is it? --------------------------- */
#define TEST(name, T, condition)                         \
    static uint32_t name(const void *a_, const void *b_) \
    {                                                    \
        const LANE_##T *a = ALIGNED(a_);                 \
        HIT_##T hit[LANES] __attribute__((aligned(64))); \
        ALU_UNUSED(b_);                                  \
        EACH_LANE                                        \
        {                                                \
            VALUE_##T A = a[i] < 0 ? -a[i] : a[i];       \
            hit[i] = -(HIT_##T)(condition);              \
        }                                                \
        return MASK_##T(hit);                            \
    }
#define INFINITY_f32 __builtin_inff()
#define INFINITY_f64 __builtin_inf()
#define NORMAL_f32 0x1p-126f
#define NORMAL_f64 0x1p-1022
#define TESTED(X) X(f32, F32) X(f64, F64)
#define DEFINE_TEST(T, TYPE)                                                 \
    TEST(finite_##T, T, A < INFINITY_##T)                                    \
    TEST(infinite_##T, T, A == INFINITY_##T)                                 \
    TEST(number_##T, T, A == A)                                              \
    TEST(notanumber_##T, T, A != A)                                          \
    /* zeros count as normal */                                              \
    TEST(normal_##T, T, (A == 0) | ((A >= NORMAL_##T) & (A < INFINITY_##T))) \
    TEST(subnormal_##T, T, (A > 0) & (A < NORMAL_##T))
TESTED(DEFINE_TEST)
#define ROWS_TEST(T, TYPE)                                       \
    ROW_COMPARE(TESTP, TYPE, MODE_FINITE, 0, finite_##T)         \
    ROW_COMPARE(TESTP, TYPE, MODE_INFINITE, 0, infinite_##T)     \
    ROW_COMPARE(TESTP, TYPE, MODE_NUMBER, 0, number_##T)         \
    ROW_COMPARE(TESTP, TYPE, MODE_NOTANUMBER, 0, notanumber_##T) \
    ROW_COMPARE(TESTP, TYPE, MODE_NORMAL, 0, normal_##T)         \
    ROW_COMPARE(TESTP, TYPE, MODE_SUBNORMAL, 0, subnormal_##T)

/* clang-format off */
static const struct alu_row rows[] = {
    WIDTHS(ROWS_WIDTH)
    ROWS_FLOATS
    TESTED(ROWS_TEST)
};
/* clang-format on */
ALU_TABLE(alu_compare);
