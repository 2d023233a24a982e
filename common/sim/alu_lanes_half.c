/* f16, bf16 and their packed pairs (PTX ISA 9.7.4).
 *
 * A half becomes a double, the operation is done there, and the result is
 * rounded once to the half's format:
 *   - the product of two halves is exact in a double;
 *   - a sum may need more than 53 bits, so it is rounded to odd (its last bit
 *     is set when something was lost): a second rounding to far fewer bits
 *     then gives what one rounding of the exact sum would.
 * That covers add, sub, mul and fma. */
#include "sim/alu_half.h"
#include "sim/alu_lanes.h"

static inline double f64_of_f16(uint32_t x)
{
    return (double)f32_of_f16(x);
}
static inline double f64_of_bf16(uint32_t x)
{
    return (double)f32_of_bf16(x);
}
static inline double f64_of_f16_ftz(uint32_t x)
{
    return (double)f32_of_f16(flush_f16(x));
}
/* .ftz: what is below 2^-14 when rounded to 11 bits, that is below the middle
 * between 2^-14 and the number before it; x * 0 keeps its sign */
static inline uint32_t f16_ftz_of(double x)
{
    return f16_of(__builtin_fabs(x) < 0x1.ffep-15 ? x * 0 : x);
}
static inline uint32_t f16_sat_of(double x)
{
    return f16_of(saturate_f64(x));
}
static inline uint32_t f16_ftz_sat_of(double x)
{
    return f16_ftz_of(saturate_f64(x));
}
/* .relu: a negative result becomes +0, NaN stays NaN */
static inline double relu(double x)
{
    return x <= 0 ? 0.0 : x;
}
static inline uint32_t f16_relu_of(double x)
{
    return f16_of(relu(x));
}
static inline uint32_t f16_ftz_relu_of(double x)
{
    return f16_ftz_of(relu(x));
}
static inline uint32_t bf16_relu_of(double x)
{
    return bf16_of(relu(x));
}

/* A function on registers with one half, and one for pairs, which runs the
 * former on the lower halves and on the upper ones. */
static __attribute__((noinline)) void for_both(alu_value_fn *one, void *d_,
                                               const void *a_, const void *b_,
                                               const void *c_)
{
    struct {
        uint32_t d[LANES], a[LANES], b[LANES], c[LANES];
    } low __attribute__((aligned(64))), high __attribute__((aligned(64)));
    lane_u32 *d = ALIGNED(d_);
    const lane_u32 *a = ALIGNED(a_), *b = ALIGNED(b_), *c = ALIGNED(c_);
    EACH_LANE
    {
        low.a[i] = a[i], low.b[i] = b[i], low.c[i] = c[i];
        high.a[i] = a[i] >> 16, high.b[i] = b[i] >> 16;
        high.c[i] = c[i] >> 16;
    }
    one(low.d, low.a, low.b, low.c, NULL);
    one(high.d, high.a, high.b, high.c, NULL);
    EACH_LANE d[i] = low.d[i] | high.d[i] << 16;
}
#define PAIR(name, b, c)                                \
    ALU_HEAD(name##_x2)                                 \
    {                                                   \
        ALU_UNUSED(b_), ALU_UNUSED(c_), ALU_UNUSED(e_); \
        for_both(name, d_, a_, b, c);                   \
    }
#define HALF_1(name, expression)      \
    UNARY(name, u32, u32, expression) \
    PAIR(name, a_, a_)
#define HALF_2(name, READ, WRITE, expression)                        \
    BINARY(name, u32, u32, u32, WRITE(expression(READ(A), READ(B)))) \
    PAIR(name, b_, a_)
#define HALF_3(name, READ, WRITE, expression)             \
    TERNARY(name, u32, u32, u32, u32,                     \
            WRITE(expression(READ(A), READ(B), READ(C)))) \
    PAIR(name, b_, c_)
#define ROW_BOTH(OP, TYPE, how, flags, name) \
    ROW(OP, TYPE, NONE, how, flags, name)    \
    ROW(OP, TYPE##X2, NONE, how, flags, name##_x2)

#define SUM(a, b) sum_to_odd(a, b)
#define DIFFERENCE(a, b) sum_to_odd(a, -(b))
#define PRODUCT(a, b) ((a) * (b))
#define FUSED(a, b, c) sum_to_odd((a) * (b), c)
/* name, PTX type, flags, how a half is read and written */
#define ROUNDED(X)                                                           \
    X(f16, F16, 0, f64_of_f16, f16_of)                                       \
    X(f16_ftz, F16, FLAG_FTZ, f64_of_f16_ftz, f16_ftz_of)                    \
    X(f16_sat, F16, FLAG_SAT, f64_of_f16, f16_sat_of)                        \
    X(f16_ftz_sat, F16, FLAG_FTZ | FLAG_SAT, f64_of_f16_ftz, f16_ftz_sat_of) \
    X(bf16, BF16, 0, f64_of_bf16, bf16_of)
#define DEFINE_ROUNDED(v, TYPE, flags, READ, WRITE) \
    HALF_2(add_##v, READ, WRITE, SUM)               \
    HALF_2(sub_##v, READ, WRITE, DIFFERENCE)        \
    HALF_2(mul_##v, READ, WRITE, PRODUCT)           \
    HALF_3(fma_##v, READ, WRITE, FUSED)
ROUNDED(DEFINE_ROUNDED)
#define ROWS_ROUNDED(v, TYPE, flags, READ, WRITE) \
    ROW_BOTH(ADD, TYPE, ROUND_RN, flags, add_##v) \
    ROW_BOTH(SUB, TYPE, ROUND_RN, flags, sub_##v) \
    ROW_BOTH(MUL, TYPE, ROUND_RN, flags, mul_##v) \
    ROW_BOTH(FMA, TYPE, ROUND_RN, flags, fma_##v)
HALF_3(fma_f16_relu, f64_of_f16, f16_relu_of, FUSED)
HALF_3(fma_f16_ftz_relu, f64_of_f16_ftz, f16_ftz_relu_of, FUSED)
HALF_3(fma_bf16_relu, f64_of_bf16, bf16_relu_of, FUSED)

/* min, max, abs and neg choose and change bits.  As for f32, -0 is below +0,
 * a single NaN loses unless .NaN says that it wins, .xorsign.abs compares
 * sizes and gives the product's sign (9.7.4). */
static inline int both(int a, int b)
{
    return a & b;
}
static inline int either(int a, int b)
{
    return a | b;
}
#define SIZE(x) ((x)&0x7fffu)
#define BITS(x) ((x)&0xffffu)
#define IS_NAN_f16(x) (SIZE(x) > 0x7c00u)
#define IS_NAN_bf16(x) (SIZE(x) > 0x7f80u)
/* a half as an integer in the same order: negative ones count down from -1 */
static inline int32_t order_of(uint32_t x)
{
    int32_t size = (int32_t)SIZE(x);
    return x & 0x8000u ? -1 - size : size;
}
static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return order_of(a) < order_of(b) ? a : b;
}
static inline uint32_t larger(uint32_t a, uint32_t b)
{
    return order_of(a) > order_of(b) ? a : b;
}
#define CHOOSE(T, pick, a, b, nan_if)                      \
    (nan_if(IS_NAN_##T(a), IS_NAN_##T(b)) ? CANONICAL_HALF \
     : IS_NAN_##T(a)                      ? (b)            \
     : IS_NAN_##T(b)                      ? (a)            \
                                          : pick(a, b))
#define XORSIGN(T, pick, a, b, nan_if)                       \
    (nan_if(IS_NAN_##T(a), IS_NAN_##T(b))                    \
         ? CANONICAL_HALF                                    \
         : SIZE(CHOOSE(T, pick, SIZE(a), SIZE(b), nan_if)) | \
               (((a) ^ (b)) & 0x8000u))
#define CHOICE(name, T, IN, how, pick, nan_if)                      \
    BINARY(name, u32, u32, u32, how(T, pick, IN(A), IN(B), nan_if)) \
    PAIR(name, b_, a_)
#define EXACT(X)                              \
    X(f16, F16, 0, f16, BITS)                 \
    X(f16_ftz, F16, FLAG_FTZ, f16, flush_f16) \
    X(bf16, BF16, 0, bf16, BITS)
#define DEFINE_EXACT(v, TYPE, flags, T, IN)                       \
    CHOICE(min_##v, T, IN, CHOOSE, smaller, both)                 \
    CHOICE(max_##v, T, IN, CHOOSE, larger, both)                  \
    CHOICE(min_nan_##v, T, IN, CHOOSE, smaller, either)           \
    CHOICE(max_nan_##v, T, IN, CHOOSE, larger, either)            \
    CHOICE(min_xor_##v, T, IN, XORSIGN, smaller, both)            \
    CHOICE(max_xor_##v, T, IN, XORSIGN, larger, both)             \
    CHOICE(min_nan_xor_##v, T, IN, XORSIGN, smaller, either)      \
    CHOICE(max_nan_xor_##v, T, IN, XORSIGN, larger, either)       \
    HALF_1(abs_##v, IS_NAN_##T(A) ? CANONICAL_HALF : SIZE(IN(A))) \
    HALF_1(neg_##v, IS_NAN_##T(A) ? CANONICAL_HALF : IN(A) ^ 0x8000u)
EXACT(DEFINE_EXACT)
#define ROWS_EXACT(v, TYPE, flags, T, IN)                                      \
    ROW_BOTH(MIN, TYPE, 0, flags, min_##v)                                     \
    ROW_BOTH(MAX, TYPE, 0, flags, max_##v)                                     \
    ROW_BOTH(MIN, TYPE, 0, (flags) | FLAG_NAN, min_nan_##v)                    \
    ROW_BOTH(MAX, TYPE, 0, (flags) | FLAG_NAN, max_nan_##v)                    \
    ROW_BOTH(MIN, TYPE, 0, (flags) | FLAG_XORSIGN, min_xor_##v)                \
    ROW_BOTH(MAX, TYPE, 0, (flags) | FLAG_XORSIGN, max_xor_##v)                \
    ROW_BOTH(MIN, TYPE, 0, (flags) | FLAG_NAN | FLAG_XORSIGN, min_nan_xor_##v) \
    ROW_BOTH(MAX, TYPE, 0, (flags) | FLAG_NAN | FLAG_XORSIGN, max_nan_xor_##v) \
    ROW_BOTH(ABS, TYPE, 0, flags, abs_##v)                                     \
    ROW_BOTH(NEG, TYPE, 0, flags, neg_##v)

/* clang-format off */
static const struct alu_row rows[] = {
    ROUNDED(ROWS_ROUNDED)
    ROW_BOTH(FMA, F16, ROUND_RN, FLAG_RELU, fma_f16_relu)
    ROW_BOTH(FMA, F16, ROUND_RN, FLAG_FTZ | FLAG_RELU, fma_f16_ftz_relu)
    ROW_BOTH(FMA, BF16, ROUND_RN, FLAG_RELU, fma_bf16_relu)
    EXACT(ROWS_EXACT)
};
/* clang-format on */
ALU_TABLE(alu_halves);
