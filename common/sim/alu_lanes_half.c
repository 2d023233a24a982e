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

static inline double f64_of_f16(uint32_t x) { return (double)f32_of_f16(x); }
static inline double f64_of_bf16(uint32_t x) { return (double)f32_of_bf16(x); }
static inline double f64_of_f16_ftz(uint32_t x)
{
    return (double)f32_of_f16(flush_f16(x));
}
/* .ftz: what is below 2^-14 before it is rounded; x * 0 keeps its sign */
static inline uint32_t f16_ftz_of(double x)
{
    return f16_of(__builtin_fabs(x) < 0x1p-14 ? x * 0 : x);
}
static inline uint32_t f16_sat_of(double x) { return f16_of(saturate_f64(x)); }
static inline uint32_t f16_ftz_sat_of(double x)
{
    return f16_ftz_of(saturate_f64(x));
}
/* .relu: a negative result becomes +0, NaN stays NaN */
static inline double relu(double x) { return x <= 0 ? 0.0 : x; }
static inline uint32_t f16_relu_of(double x) { return f16_of(relu(x)); }
static inline uint32_t f16_ftz_relu_of(double x) { return f16_ftz_of(relu(x)); }
static inline uint32_t bf16_relu_of(double x) { return bf16_of(relu(x)); }

/* A function on one half, then for a register with one and with two. */
#define LOW(x) ((x) & 0xffff)
#define HALF_1(name, READ, WRITE, expression)                                \
    static inline uint32_t name##_one(uint32_t a)                            \
    {                                                                        \
        double A = READ(a);                                                  \
        return WRITE(expression);                                            \
    }                                                                        \
    UNARY(name, u32, u32, name##_one(A))                                     \
    UNARY(name##_x2, u32, u32, name##_one(A) | name##_one(A >> 16) << 16)
#define HALF_2(name, READ, WRITE, expression)                                \
    static inline uint32_t name##_one(uint32_t a, uint32_t b)                \
    {                                                                        \
        double A = READ(a), B = READ(b);                                     \
        return WRITE(expression);                                            \
    }                                                                        \
    BINARY(name, u32, u32, u32, name##_one(A, B))                            \
    BINARY(name##_x2, u32, u32, u32,                                         \
           name##_one(A, B) | name##_one(A >> 16, B >> 16) << 16)
#define HALF_3(name, READ, WRITE, expression)                                \
    static inline uint32_t name##_one(uint32_t a, uint32_t b, uint32_t c)    \
    {                                                                        \
        double A = READ(a), B = READ(b), C = READ(c);                        \
        return WRITE(expression);                                            \
    }                                                                        \
    TERNARY(name, u32, u32, u32, u32, name##_one(A, B, C))                   \
    TERNARY(name##_x2, u32, u32, u32, u32,                                   \
            name##_one(A, B, C) |                                            \
                name##_one(A >> 16, B >> 16, C >> 16) << 16)
#define ROW_BOTH(OP, TYPE, how, flags, name)                                 \
    ROW(OP, TYPE, NONE, how, flags, name)                                    \
    ROW(OP, TYPE##X2, NONE, how, flags, name##_x2)

/* name, PTX type, flags, how a half is read and written */
#define ROUNDED(X)                                                           \
    X(f16, F16, 0, f64_of_f16, f16_of)                                       \
    X(f16_ftz, F16, FLAG_FTZ, f64_of_f16_ftz, f16_ftz_of)                    \
    X(f16_sat, F16, FLAG_SAT, f64_of_f16, f16_sat_of)                        \
    X(f16_ftz_sat, F16, FLAG_FTZ | FLAG_SAT, f64_of_f16_ftz, f16_ftz_sat_of) \
    X(bf16, BF16, 0, f64_of_bf16, bf16_of)
#define DEFINE_ROUNDED(v, TYPE, flags, READ, WRITE)                          \
    HALF_2(add_##v, READ, WRITE, sum_to_odd(A, B))                           \
    HALF_2(sub_##v, READ, WRITE, sum_to_odd(A, -B))                          \
    HALF_2(mul_##v, READ, WRITE, A * B)                                      \
    HALF_3(fma_##v, READ, WRITE, sum_to_odd(A * B, C))
ROUNDED(DEFINE_ROUNDED)
#define ROWS_ROUNDED(v, TYPE, flags, READ, WRITE)                            \
    ROW_BOTH(ADD, TYPE, ROUND_RN, flags, add_##v)                            \
    ROW_BOTH(SUB, TYPE, ROUND_RN, flags, sub_##v)                            \
    ROW_BOTH(MUL, TYPE, ROUND_RN, flags, mul_##v)                            \
    ROW_BOTH(FMA, TYPE, ROUND_RN, flags, fma_##v)
HALF_3(fma_f16_relu, f64_of_f16, f16_relu_of, sum_to_odd(A * B, C))
HALF_3(fma_f16_ftz_relu, f64_of_f16_ftz, f16_ftz_relu_of,
       sum_to_odd(A * B, C))
HALF_3(fma_bf16_relu, f64_of_bf16, bf16_relu_of, sum_to_odd(A * B, C))

/* min and max, as for f32 (alu_half.h); abs and neg */
#define EXACT(X)                                                             \
    X(f16, F16, 0, f64_of_f16, f16_of)                                       \
    X(f16_ftz, F16, FLAG_FTZ, f64_of_f16_ftz, f16_ftz_of)                    \
    X(bf16, BF16, 0, f64_of_bf16, bf16_of)
#define PICK(pick) ((double)pick((float)A, (float)B))
#define NAN_WINS(x) (A == A && B == B ? (x) : __builtin_nan(""))
#define DEFINE_EXACT(v, TYPE, flags, READ, WRITE)                            \
    HALF_2(min_##v, READ, WRITE, PICK(min_number))                           \
    HALF_2(max_##v, READ, WRITE, PICK(max_number))                           \
    HALF_2(min_nan_##v, READ, WRITE, NAN_WINS(PICK(min_number)))             \
    HALF_2(max_nan_##v, READ, WRITE, NAN_WINS(PICK(max_number)))             \
    HALF_2(min_xor_##v, READ, WRITE, PICK(min_xorsign))                      \
    HALF_2(max_xor_##v, READ, WRITE, PICK(max_xorsign))                      \
    HALF_2(min_nan_xor_##v, READ, WRITE, NAN_WINS(PICK(min_xorsign)))        \
    HALF_2(max_nan_xor_##v, READ, WRITE, NAN_WINS(PICK(max_xorsign)))        \
    HALF_1(abs_##v, READ, WRITE, A < 0 ? -A : A + 0.0)                       \
    HALF_1(neg_##v, READ, WRITE, -A)
EXACT(DEFINE_EXACT)
#define ROWS_EXACT(v, TYPE, flags, READ, WRITE)                              \
    ROW_BOTH(MIN, TYPE, 0, flags, min_##v)                                   \
    ROW_BOTH(MAX, TYPE, 0, flags, max_##v)                                   \
    ROW_BOTH(MIN, TYPE, 0, (flags) | FLAG_NAN, min_nan_##v)                  \
    ROW_BOTH(MAX, TYPE, 0, (flags) | FLAG_NAN, max_nan_##v)                  \
    ROW_BOTH(MIN, TYPE, 0, (flags) | FLAG_XORSIGN, min_xor_##v)              \
    ROW_BOTH(MAX, TYPE, 0, (flags) | FLAG_XORSIGN, max_xor_##v)              \
    ROW_BOTH(MIN, TYPE, 0, (flags) | FLAG_NAN | FLAG_XORSIGN,                \
             min_nan_xor_##v)                                                \
    ROW_BOTH(MAX, TYPE, 0, (flags) | FLAG_NAN | FLAG_XORSIGN,                \
             max_nan_xor_##v)                                                \
    ROW_BOTH(ABS, TYPE, 0, flags, abs_##v)                                   \
    ROW_BOTH(NEG, TYPE, 0, flags, neg_##v)

static const struct alu_row rows[] = {
    ROUNDED(ROWS_ROUNDED)
    ROW_BOTH(FMA, F16, ROUND_RN, FLAG_RELU, fma_f16_relu)
    ROW_BOTH(FMA, F16, ROUND_RN, FLAG_FTZ | FLAG_RELU, fma_f16_ftz_relu)
    ROW_BOTH(FMA, BF16, ROUND_RN, FLAG_RELU, fma_bf16_relu)
    EXACT(ROWS_EXACT)
};
ALU_TABLE(alu_halves);
