/* Comparisons (PTX ISA 9.3, 9.7.6): setp, set and testp give a bit a lane.
 *
 * Of a float comparison the plain operators are false when an operand is
 * NaN, those that end in u are true.  f16 and bf16 are compared as the floats
 * they stand for; of a packed pair, a function looks at one half. */
#include "sim/alu_half.h"
#include "sim/alu_lanes.h"

#define COMPARE(name, T, LOAD, condition)                                    \
    static uint32_t name(const void *a_, const void *b_)                     \
    {                                                                        \
        const LANE_##T *a = ALIGNED(a_), *b = ALIGNED(b_);                   \
        HIT_##T hit[LANES] __attribute__((aligned(64)));                     \
        EACH_LANE                                                            \
        {                                                                    \
            LOAD(T)                                                          \
            hit[i] = -(HIT_##T)(condition);                                  \
        }                                                                    \
        return MASK_##T(hit);                                                \
    }
#define AS_IS(T) VALUE_##T A = (VALUE_##T)a[i], B = (VALUE_##T)b[i];

/* ---- integers ------------------------------------------------------------ */
#define EQUALITIES(X, ...) X(EQ, ==, __VA_ARGS__) X(NE, !=, __VA_ARGS__)
#define ORDERINGS(X, ...)                                                    \
    X(LT, <, __VA_ARGS__) X(LE, <=, __VA_ARGS__)                             \
    X(GT, >, __VA_ARGS__) X(GE, >=, __VA_ARGS__)
#define DEFINE_INTEGER(CMP, operator, T)                                     \
    COMPARE(compare_##CMP##_##T, T, AS_IS, A operator B)
#define WIDTHS(X) X(u16, U16, S16, B16, s16) X(u32, U32, S32, B32, s32)      \
    X(u64, U64, S64, B64, s64)
#define DEFINE_WIDTH(U, UNSIGNED, SIGNED, BITS, S)                           \
    EQUALITIES(DEFINE_INTEGER, U)                                            \
    ORDERINGS(DEFINE_INTEGER, U)                                             \
    ORDERINGS(DEFINE_INTEGER, S)
WIDTHS(DEFINE_WIDTH)

#define ROW_AS(CMP, operator, TYPE, T)                                       \
    ROW_COMPARE(SETP, TYPE, CMP_##CMP, 0, compare_##CMP##_##T)
#define ROWS_WIDTH(U, UNSIGNED, SIGNED, BITS, S)                             \
    EQUALITIES(ROW_AS, UNSIGNED, U)                                          \
    EQUALITIES(ROW_AS, SIGNED, U)                                            \
    EQUALITIES(ROW_AS, BITS, U)                                              \
    ORDERINGS(ROW_AS, UNSIGNED, U)                                           \
    ORDERINGS(ROW_AS, SIGNED, S)                                             \
    ROW_COMPARE(SETP, UNSIGNED, CMP_LO, 0, compare_LT_##U)                   \
    ROW_COMPARE(SETP, UNSIGNED, CMP_LS, 0, compare_LE_##U)                   \
    ROW_COMPARE(SETP, UNSIGNED, CMP_HI, 0, compare_GT_##U)                   \
    ROW_COMPARE(SETP, UNSIGNED, CMP_HS, 0, compare_GE_##U)

/* ---- floats -------------------------------------------------------------- */
#define ORDERED (A == A && B == B)
#define FLOAT_OPERATORS(X, ...)                                              \
    X(EQ, A == B, __VA_ARGS__) X(NE, ORDERED & (A != B), __VA_ARGS__)        \
    X(LT, A < B, __VA_ARGS__) X(LE, A <= B, __VA_ARGS__)                     \
    X(GT, A > B, __VA_ARGS__) X(GE, A >= B, __VA_ARGS__)                     \
    X(EQU, !(ORDERED & (A != B)), __VA_ARGS__) X(NEU, A != B, __VA_ARGS__)   \
    X(LTU, !(A >= B), __VA_ARGS__) X(LEU, !(A > B), __VA_ARGS__)             \
    X(GTU, !(A <= B), __VA_ARGS__) X(GEU, !(A < B), __VA_ARGS__)             \
    X(NUM, ORDERED, __VA_ARGS__) X(NAN, !ORDERED, __VA_ARGS__)

#define FLUSHED(T) float A = flush_f32(a[i]), B = flush_f32(b[i]);
#define F16_LOW(T) float A = f32_of_f16(a[i]), B = f32_of_f16(b[i]);
#define F16_HIGH(T)                                                          \
    float A = f32_of_f16(a[i] >> 16), B = f32_of_f16(b[i] >> 16);
#define F16_LOW_FTZ(T)                                                       \
    float A = f32_of_f16(flush_f16(a[i])), B = f32_of_f16(flush_f16(b[i]));
#define F16_HIGH_FTZ(T)                                                      \
    float A = f32_of_f16(flush_f16(a[i] >> 16)),                             \
          B = f32_of_f16(flush_f16(b[i] >> 16));
#define BF16_LOW(T) float A = f32_of_bf16(a[i]), B = f32_of_bf16(b[i]);
#define BF16_HIGH(T)                                                         \
    float A = f32_of_bf16(a[i] >> 16), B = f32_of_bf16(b[i] >> 16);

/* name, lane type, how the two floats are read, PTX type, flags, and 1 for
 * the upper half of a packed pair. */
#define FLOAT_TYPES(X)                                                       \
    X(f32, f32, AS_IS, F32, 0, 0)                                            \
    X(f32_ftz, f32, FLUSHED, F32, FLAG_FTZ, 0)                               \
    X(f64, f64, AS_IS, F64, 0, 0)                                            \
    X(f16, u32, F16_LOW, F16, 0, 0)                                          \
    X(f16_ftz, u32, F16_LOW_FTZ, F16, FLAG_FTZ, 0)                           \
    X(bf16, u32, BF16_LOW, BF16, 0, 0)                                       \
    X(f16_high, u32, F16_HIGH, F16X2, 0, 1)                                  \
    X(f16_high_ftz, u32, F16_HIGH_FTZ, F16X2, FLAG_FTZ, 1)                   \
    X(bf16_high, u32, BF16_HIGH, BF16X2, 0, 1)
#define DEFINE_FLOAT(CMP, condition, name, T, LOAD)                          \
    COMPARE(compare_##CMP##_##name, T, LOAD, condition)
#define DEFINE_FLOATS(name, T, LOAD, TYPE, flags, high)                      \
    FLOAT_OPERATORS(DEFINE_FLOAT, name, T, LOAD)
FLOAT_TYPES(DEFINE_FLOATS)
#define ROW_FLOAT(CMP, condition, OP, name, TYPE, flags)                     \
    ROW_COMPARE(OP, TYPE, CMP_##CMP, flags, compare_##CMP##_##name)
#define ROWS_FLOATS(name, T, LOAD, TYPE, flags, high)                        \
    FLOAT_OPERATORS(ROW_FLOAT, SETP, name, TYPE, (flags) | HIGH_IF_##high)
/* The row for the second half of a pair carries a flag of its own. */
#define HIGH_IF_0 0
#define HIGH_IF_1 ALU_HIGH_HALF
#define ROWS_PAIRS                                                           \
    FLOAT_OPERATORS(ROW_FLOAT, SETP, f16, F16X2, 0)                          \
    FLOAT_OPERATORS(ROW_FLOAT, SETP, f16_ftz, F16X2, FLAG_FTZ)               \
    FLOAT_OPERATORS(ROW_FLOAT, SETP, bf16, BF16X2, 0)

/* ---- testp (9.7.3): what kind of number is it? --------------------------- */
#define TEST(name, T, condition)                                             \
    static uint32_t name(const void *a_, const void *b_)                     \
    {                                                                        \
        const LANE_##T *a = ALIGNED(a_);                                     \
        HIT_##T hit[LANES] __attribute__((aligned(64)));                     \
        ALU_UNUSED(b_);                                                      \
        EACH_LANE                                                            \
        {                                                                    \
            VALUE_##T A = a[i] < 0 ? -a[i] : a[i];                           \
            hit[i] = -(HIT_##T)(condition);                                  \
        }                                                                    \
        return MASK_##T(hit);                                                \
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
    TEST(normal_##T, T,                                                      \
         (A == 0) | ((A >= NORMAL_##T) & (A < INFINITY_##T)))                \
    TEST(subnormal_##T, T, (A > 0) & (A < NORMAL_##T))
TESTED(DEFINE_TEST)
#define ROWS_TEST(T, TYPE)                                                   \
    ROW_COMPARE(TESTP, TYPE, MODE_FINITE, 0, finite_##T)                     \
    ROW_COMPARE(TESTP, TYPE, MODE_INFINITE, 0, infinite_##T)                 \
    ROW_COMPARE(TESTP, TYPE, MODE_NUMBER, 0, number_##T)                     \
    ROW_COMPARE(TESTP, TYPE, MODE_NOTANUMBER, 0, notanumber_##T)             \
    ROW_COMPARE(TESTP, TYPE, MODE_NORMAL, 0, normal_##T)                     \
    ROW_COMPARE(TESTP, TYPE, MODE_SUBNORMAL, 0, subnormal_##T)

static const struct alu_row rows[] = {
    WIDTHS(ROWS_WIDTH)
    FLOAT_TYPES(ROWS_FLOATS)
    ROWS_PAIRS
    TESTED(ROWS_TEST)
};
ALU_TABLE(alu_compare);
