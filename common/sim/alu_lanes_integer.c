/* Integer arithmetic (PTX ISA 9.7.1 and, with carries, 9.7.2).
 *
 * Sums, differences and the low halves of products are the same bits for
 * signed and unsigned numbers: those functions exist once per width.  They
 * compute in unsigned C types, because there overflow wraps as it does on
 * the GPU. */
#include "sim/alu_lanes.h"

/* ---- what is the same for signed and unsigned --------------------------- */
#define WIDTHS(X) X(u16, U16, S16) X(u32, U32, S32) X(u64, U64, S64)

#define DEFINE_WRAPPING(T, UNSIGNED, SIGNED)    \
    BINARY(add_##T, T, T, T, WRAP(T, A) + B)    \
    BINARY(sub_##T, T, T, T, WRAP(T, A) - B)    \
    BINARY(mul_lo_##T, T, T, T, WRAP(T, A) * B) \
    TERNARY(mad_lo_##T, T, T, T, T, WRAP(T, A) * B + C)
WIDTHS(DEFINE_WRAPPING)

#define ROWS_WRAPPING(T, UNSIGNED, SIGNED)           \
    ROW(ADD, UNSIGNED, NONE, 0, 0, add_##T)          \
    ROW(ADD, SIGNED, NONE, 0, 0, add_##T)            \
    ROW(SUB, UNSIGNED, NONE, 0, 0, sub_##T)          \
    ROW(SUB, SIGNED, NONE, 0, 0, sub_##T)            \
    ROW(MUL, UNSIGNED, NONE, 0, FLAG_LO, mul_lo_##T) \
    ROW(MUL, SIGNED, NONE, 0, FLAG_LO, mul_lo_##T)   \
    ROW(MAD, UNSIGNED, NONE, 0, FLAG_LO, mad_lo_##T) \
    ROW(MAD, SIGNED, NONE, 0, FLAG_LO, mad_lo_##T)

/* ---- what differs -------------------------------------------------------- */
#define TYPES(X) \
    X(u16, U16) X(s16, S16) X(u32, U32) X(s32, S32) X(u64, U64) X(s64, S64)

#define HIGH(T) (TWICE(T, A) * TWICE(T, B) >> BITS_##T)
#define DEFINE_TYPED(T, TYPE)                                             \
    BINARY(mul_hi_##T, T, T, T, HIGH(T))                                  \
    TERNARY(mad_hi_##T, T, T, T, T, WRAP(T, HIGH(T)) + WRAP(T, C))        \
    BINARY(min_##T, T, T, T, A < B ? A : B)                               \
    BINARY(max_##T, T, T, T, A > B ? A : B)                               \
    TERNARY(sad_##T, T, T, T, T,                                          \
            (A < B ? WRAP(T, B) - WRAP(T, A) : WRAP(T, A) - WRAP(T, B)) + \
                WRAP(T, C))
TYPES(DEFINE_TYPED)

#define ROWS_TYPED(T, TYPE)                      \
    ROW(MUL, TYPE, NONE, 0, FLAG_HI, mul_hi_##T) \
    ROW(MAD, TYPE, NONE, 0, FLAG_HI, mad_hi_##T) \
    ROW(MIN, TYPE, NONE, 0, 0, min_##T)          \
    ROW(MAX, TYPE, NONE, 0, 0, max_##T)          \
    ROW(SAD, TYPE, NONE, 0, 0, sad_##T)

/* A product of twice the width; there is no such form of 64-bit types. */
#define WIDE_TYPES(X) \
    X(u16, U16, u32) X(s16, S16, s32) X(u32, U32, u64) X(s32, S32, s64)
#define DEFINE_WIDE(T, TYPE, WIDE)                              \
    BINARY(mul_wide_##T, WIDE, T, T, TWICE(T, A) * TWICE(T, B)) \
    TERNARY(mad_wide_##T, WIDE, T, T, WIDE,                     \
            WRAP(WIDE, TWICE(T, A) * TWICE(T, B)) + WRAP(WIDE, C))
WIDE_TYPES(DEFINE_WIDE)
#define ROWS_WIDE(T, TYPE, WIDE)                     \
    ROW(MUL, TYPE, NONE, 0, FLAG_WIDE, mul_wide_##T) \
    ROW(MAD, TYPE, NONE, 0, FLAG_WIDE, mad_wide_##T)

#define SIGNED_TYPES(X) X(s16, S16) X(s32, S32) X(s64, S64)
#define DEFINE_SIGNED(T, TYPE)                                         \
    UNARY(abs_##T, T, T, A < 0 ? WRAP(T, 0) - WRAP(T, A) : WRAP(T, A)) \
    UNARY(neg_##T, T, T, WRAP(T, 0) - WRAP(T, A))
SIGNED_TYPES(DEFINE_SIGNED)
#define ROWS_SIGNED(T, TYPE)            \
    ROW(ABS, TYPE, NONE, 0, 0, abs_##T) \
    ROW(NEG, TYPE, NONE, 0, 0, neg_##T)

/* ---- saturating forms, 32 bits signed only ------------------------------ */
static inline int32_t clamp_s32(int64_t x)
{
    x = x < INT32_MIN ? INT32_MIN : x;
    return (int32_t)(x > INT32_MAX ? INT32_MAX : x);
}
BINARY(add_sat_s32, s32, s32, s32, clamp_s32((int64_t)A + B))
BINARY(sub_sat_s32, s32, s32, s32, clamp_s32((int64_t)A - B))
TERNARY(mad_hi_sat_s32, s32, s32, s32, s32, clamp_s32(HIGH(s32) + C))
BINARY(min_relu_s32, s32, s32, s32, (A < B ? A : B) < 0 ? 0 : A < B ? A : B)
BINARY(max_relu_s32, s32, s32, s32, (A > B ? A : B) < 0 ? 0 : A > B ? A : B)

/* ---- 24-bit products: .lo is bits 31..0 of 48, .hi bits 47..16 ----------- */
#define LOW24_u32(x) ((int64_t)(0xffffffu & (x)))
#define LOW24_s32(x) ((int64_t)((int32_t)((uint32_t)(x) << 8) >> 8))
#define PRODUCT24(T) (LOW24_##T(A) * LOW24_##T(B))
#define TYPES24(X) X(u32, U32) X(s32, S32)
#define DEFINE_24(T, TYPE)                                                  \
    BINARY(mul24_lo_##T, T, T, T, PRODUCT24(T))                             \
    BINARY(mul24_hi_##T, T, T, T, PRODUCT24(T) >> 16)                       \
    TERNARY(mad24_lo_##T, T, T, T, T, (uint32_t)PRODUCT24(T) + (uint32_t)C) \
    TERNARY(mad24_hi_##T, T, T, T, T,                                       \
            (uint32_t)(PRODUCT24(T) >> 16) + (uint32_t)C)
TYPES24(DEFINE_24)
TERNARY(mad24_hi_sat_s32, s32, s32, s32, s32,
        clamp_s32((int32_t)(PRODUCT24(s32) >> 16) + (int64_t)C))
#define ROWS_24(T, TYPE)                             \
    ROW(MUL24, TYPE, NONE, 0, FLAG_LO, mul24_lo_##T) \
    ROW(MUL24, TYPE, NONE, 0, FLAG_HI, mul24_hi_##T) \
    ROW(MAD24, TYPE, NONE, 0, FLAG_LO, mad24_lo_##T) \
    ROW(MAD24, TYPE, NONE, 0, FLAG_HI, mad24_hi_##T)

/* ---- carries: the executor keeps a bit a lane --------------------------- */
#define CARRY(name, T, TERMS, result, carry_out)                   \
    static uint32_t name(void *d_, const void *a_, const void *b_, \
                         const void *c_, uint32_t carry)           \
    {                                                              \
        LANE_##T *d = ALIGNED(d_);                                 \
        const LANE_##T *a = ALIGNED(a_), *b = ALIGNED(b_);         \
        const LANE_##T *c = ALIGNED(TERMS == 3 ? c_ : b_);         \
        HIT_##T out[LANES] __attribute__((aligned(64)));           \
        EACH_LANE                                                  \
        {                                                          \
            VALUE_##T A = (VALUE_##T)a[i], B = (VALUE_##T)b[i];    \
            VALUE_##T C = (VALUE_##T)c[i], IN = carry >> i & 1, R; \
            (void)A, (void)B, (void)C, (void)IN;                   \
            R = (VALUE_##T)(result);                               \
            out[i] = -(HIT_##T)(carry_out);                        \
            d[i] = PUT_##T(R);                                     \
        }                                                          \
        return MASK_##T(out);                                      \
    }
/* x + c + carry in: it carried when the sum is below c, or equal to it with
 * a carry in (then x + 1 was a whole turn). */
#define CARRIED(addend) (R < (addend) || (IN & (R == (addend))))
#define CARRY_WIDTHS(X) X(u32, U32, S32) X(u64, U64, S64)
#define LOW(T) (A * B)
#define DEFINE_CARRY(T, UNSIGNED, SIGNED)                       \
    CARRY(add_cc_##T, T, 2, A + B, R < B)                       \
    CARRY(addc_##T, T, 2, A + B + IN, CARRIED(B))               \
    CARRY(sub_cc_##T, T, 2, A - B, A < B)                       \
    CARRY(subc_##T, T, 2, A - B - IN, A < B || (IN & (A == B))) \
    CARRY(mad_lo_cc_##T, T, 3, LOW(T) + C, R < C)               \
    CARRY(madc_lo_##T, T, 3, LOW(T) + C + IN, CARRIED(C))       \
    CARRY(mad_hi_cc_##T, T, 3, HIGH(T) + C, R < C)              \
    CARRY(madc_hi_##T, T, 3, HIGH(T) + C + IN, CARRIED(C))
CARRY_WIDTHS(DEFINE_CARRY)
/* Only the high half of a product knows signs. */
#define SIGNED_HIGH(W, S) \
    ((VALUE_##W)((TWICE_##S)(VALUE_##S)A * (TWICE_##S)(VALUE_##S)B >> BITS_##S))
CARRY(mad_hi_cc_s32, u32, 3, SIGNED_HIGH(u32, s32) + C, R < C)
CARRY(madc_hi_s32, u32, 3, SIGNED_HIGH(u32, s32) + C + IN, CARRIED(C))
CARRY(mad_hi_cc_s64, u64, 3, SIGNED_HIGH(u64, s64) + C, R < C)
CARRY(madc_hi_s64, u64, 3, SIGNED_HIGH(u64, s64) + C + IN, CARRIED(C))

/* addc, subc and madc read the carry with or without .cc; .cc only says
 * whether the executor keeps what comes out. */
#define ROWS_MAYBE_CC(OP, TYPE, flags, function) \
    ROW_CARRY(OP, TYPE, flags, function)         \
    ROW_CARRY(OP, TYPE, (flags) | FLAG_CC, function)
#define ROWS_CARRY_ONE(T, S, TYPE)                         \
    ROW_CARRY(ADD, TYPE, FLAG_CC, add_cc_##T)              \
    ROW_CARRY(SUB, TYPE, FLAG_CC, sub_cc_##T)              \
    ROWS_MAYBE_CC(ADDC, TYPE, 0, addc_##T)                 \
    ROWS_MAYBE_CC(SUBC, TYPE, 0, subc_##T)                 \
    ROW_CARRY(MAD, TYPE, FLAG_LO | FLAG_CC, mad_lo_cc_##T) \
    ROWS_MAYBE_CC(MADC, TYPE, FLAG_LO, madc_lo_##T)        \
    ROW_CARRY(MAD, TYPE, FLAG_HI | FLAG_CC, mad_hi_cc_##S) \
    ROWS_MAYBE_CC(MADC, TYPE, FLAG_HI, madc_hi_##S)
#define ROWS_CARRY(T, UNSIGNED, SIGNED) ROWS_CARRY_ONE(T, T, UNSIGNED)

/* ---- dot products of small integers (9.7.1) ------------------------------ */
#define PART_u8(x, k) ((uint32_t)(uint8_t)((x) >> (8 * (k))))
#define PART_s8(x, k) ((uint32_t)(int8_t)((x) >> (8 * (k))))
#define PART_u16(x, k) ((uint32_t)(uint16_t)((x) >> (16 * (k))))
#define PART_s16(x, k) ((uint32_t)(int16_t)((x) >> (16 * (k))))
#define DOT4(TA, TB)                               \
    (C + PART_##TA##8(A, 0) * PART_##TB##8(B, 0) + \
     PART_##TA##8(A, 1) * PART_##TB##8(B, 1) +     \
     PART_##TA##8(A, 2) * PART_##TB##8(B, 2) +     \
     PART_##TA##8(A, 3) * PART_##TB##8(B, 3))
#define DOT2(TA, TB, first)                             \
    (C + PART_##TA##16(A, 0) * PART_##TB##8(B, first) + \
     PART_##TA##16(A, 1) * PART_##TB##8(B, first + 1))
#define DOTS(X) \
    X(u, u, U32, U32) X(u, s, U32, S32) X(s, u, S32, U32) X(s, s, S32, S32)
#define DEFINE_DOT(TA, TB, TYPE, TYPE2)                            \
    TERNARY(dp4a_##TA##TB, u32, u32, u32, u32, DOT4(TA, TB))       \
    TERNARY(dp2a_lo_##TA##TB, u32, u32, u32, u32, DOT2(TA, TB, 0)) \
    TERNARY(dp2a_hi_##TA##TB, u32, u32, u32, u32, DOT2(TA, TB, 2))
DOTS(DEFINE_DOT)
#define ROWS_DOT(TA, TB, TYPE, TYPE2)                    \
    ROW(DP4A, TYPE, TYPE2, 0, 0, dp4a_##TA##TB)          \
    ROW(DP2A, TYPE, TYPE2, 0, FLAG_LO, dp2a_lo_##TA##TB) \
    ROW(DP2A, TYPE, TYPE2, 0, FLAG_HI, dp2a_hi_##TA##TB)

/* clang-format off */
static const struct alu_row rows[] = {
    WIDTHS(ROWS_WRAPPING)
    TYPES(ROWS_TYPED)
    WIDE_TYPES(ROWS_WIDE)
    SIGNED_TYPES(ROWS_SIGNED)
    TYPES24(ROWS_24)
    ROW(ADD, S32, NONE, 0, FLAG_SAT, add_sat_s32)
    ROW(SUB, S32, NONE, 0, FLAG_SAT, sub_sat_s32)
    ROW(MAD, S32, NONE, 0, FLAG_HI | FLAG_SAT, mad_hi_sat_s32)
    ROW(MAD24, S32, NONE, 0, FLAG_HI | FLAG_SAT, mad24_hi_sat_s32)
    ROW(MIN, S32, NONE, 0, FLAG_RELU, min_relu_s32)
    ROW(MAX, S32, NONE, 0, FLAG_RELU, max_relu_s32)
    CARRY_WIDTHS(ROWS_CARRY)
    ROWS_CARRY_ONE(u32, s32, S32)
    ROWS_CARRY_ONE(u64, s64, S64)
    DOTS(ROWS_DOT)
};
/* clang-format on */
ALU_TABLE(alu_integer);
