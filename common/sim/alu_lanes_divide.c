/* Integer division (PTX ISA 9.7.1, div and rem).
 *
 * A CPU has no vector instruction for it, so 16- and 32-bit numbers go
 * through double precision, exactly:
 *     x = (a + 1/2) * (1 / b) lies between q + 1/(2b) and q + 1 - 1/(2b)
 * where q is the whole quotient.  Two roundings move x by less than
 * q * 2^-51 <= 2^-19 / b, so that x still lies strictly between q and q + 1,
 * and rounding x - 1/2 to the nearest integer gives q.
 *
 * What the ISA leaves open, as measured on an H200: a quotient and a remainder
 * by zero are all ones, and the smallest integer divided by -1 is itself. */
#include "sim/alu_lanes.h"

/* Numbers below 2^32 sit in the low bits of 2^52 + a. */
static inline double exact_f64(uint32_t a)
{
    return f64_from(0x4330000000000000u | a) - 0x1p52;
}
static inline uint32_t quotient(uint32_t a, uint32_t b, double reciprocal)
{
    double x = (exact_f64(a) + 0.5) * reciprocal;
    uint32_t q = (uint32_t)f64_bits((x - 0.5) + 0x1.8p52);
    return b == 0 ? UINT32_MAX : q;
}

/* A divisor is very often the same in all lanes (a block size, a stride):
 * then one division serves all. */
static inline int same_in_all(const lane_u32 *b)
{
    uint32_t differ = 0;
    for (int i = 0; i < LANES; i++)
        differ |= b[i] ^ b[0];
    return differ == 0;
}

/* Magnitude of a value, and a magnitude with a sign. */
#define SIZE_u16(x) ((uint32_t)(x))
#define SIZE_u32(x) (x)
#define SIZE_s16(x) ((uint32_t)((x) < 0 ? -(int32_t)(x) : (x)))
#define SIZE_s32(x) ((x) < 0 ? 0u - (uint32_t)(x) : (uint32_t)(x))
#define SIGN_u16(x, negative) (x)
#define SIGN_u32(x, negative) (x)
#define SIGN_s16(x, negative) ((negative) ? 0u - (x) : (x))
#define SIGN_s32(x, negative) ((negative) ? 0u - (x) : (x))

/* A zero divisor has no sign, but -1 is all ones for either. */
#define QUOTIENT(T, r) \
    SIGN_##T(quotient(SIZE_##T(A), SIZE_##T(B), r), B != 0 && (A ^ B) < 0)
#define REMAINDER(T, r)                                                      \
    (B == 0 ? UINT32_MAX                                                     \
            : SIGN_##T(SIZE_##T(A) - quotient(SIZE_##T(A), SIZE_##T(B), r) * \
                                         SIZE_##T(B),                        \
                       A < 0))

#define DIVIDE(name, T, formula)                                      \
    ALU_HEAD(name)                                                    \
    {                                                                 \
        lane_u32 *d = ALIGNED(d_);                                    \
        const lane_u32 *a = ALIGNED(a_), *b = ALIGNED(b_);            \
        ALU_UNUSED(c_), ALU_UNUSED(e_);                               \
        if (same_in_all(b)) {                                         \
            VALUE_##T B = (VALUE_##T)b[0];                            \
            double r = 1.0 / exact_f64(SIZE_##T(B));                  \
            EACH_LANE                                                 \
            {                                                         \
                VALUE_##T A = (VALUE_##T)a[i];                        \
                d[i] = PUT_##T(formula(T, r));                        \
            }                                                         \
            return;                                                   \
        }                                                             \
        EACH_LANE                                                     \
        {                                                             \
            VALUE_##T A = (VALUE_##T)a[i], B = (VALUE_##T)b[i];       \
            d[i] = PUT_##T(formula(T, 1.0 / exact_f64(SIZE_##T(B)))); \
        }                                                             \
    }
#define SMALL(X) X(u16, U16) X(s16, S16) X(u32, U32) X(s32, S32)
#define DEFINE_SMALL(T, TYPE)    \
    DIVIDE(div_##T, T, QUOTIENT) \
    DIVIDE(rem_##T, T, REMAINDER)
SMALL(DEFINE_SMALL)

/* 64 bits: the CPU's own division, lane by lane. */
static inline uint64_t quotient_u64(uint64_t a, uint64_t b)
{
    return b == 0 ? UINT64_MAX : a / b;
}
#define SIZE_u64(x) (x)
#define SIZE_s64(x) ((x) < 0 ? 0u - (uint64_t)(x) : (uint64_t)(x))
#define SIGN_u64(x, negative) (x)
#define SIGN_s64(x, negative) ((negative) ? 0u - (x) : (x))
#define DEFINE_LARGE(T, TYPE)                               \
    BINARY(div_##T, T, T, T,                                \
           SIGN_##T(quotient_u64(SIZE_##T(A), SIZE_##T(B)), \
                    B != 0 && (A ^ B) < 0))                 \
    BINARY(rem_##T, T, T, T,                                \
           B == 0 ? UINT64_MAX : SIGN_##T(SIZE_##T(A) % SIZE_##T(B), A < 0))
#define LARGE(X) X(u64, U64) X(s64, S64)
LARGE(DEFINE_LARGE)

#define ROWS_DIVIDE(T, TYPE)            \
    ROW(DIV, TYPE, NONE, 0, 0, div_##T) \
    ROW(REM, TYPE, NONE, 0, 0, rem_##T)
/* clang-format off */
static const struct alu_row rows[] = {
    SMALL(ROWS_DIVIDE)
    LARGE(ROWS_DIVIDE)
};
/* clang-format on */
ALU_TABLE(alu_divide);
