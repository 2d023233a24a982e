/* The approximate functions (PTX ISA 9.7.3: .approx and .full).
 *
 * The ISA gives a bound for the error, not bits, and the hardware's own tables
 * are not public.  We compute in double and round to f32: the error is little
 * more than half a unit in the last place, well inside every bound.  Special
 * values (infinity, zero, NaN, subnormals) are those of the ISA. */
#include "sim/alu_half.h"
#include "sim/alu_lanes.h"

#define INFINITE __builtin_inf()
#define NOT_A_NUMBER __builtin_nan("")

/* Nearest integer, for |x| < 2^51, without a library call. */
static inline double nearest(double x)
{
    return (x + 0x1.8p52) - 0x1.8p52;
}
static inline double power_of_two(double n) /* -1022 <= n <= 1023, integral */
{
    return f64_from((f64_bits(n + 0x1.8p52) + 1023) << 52);
}

/* 2^x: 2^n * 2^r with |r| <= 1/2, the latter by its Taylor series in r ln 2;
 * nine terms leave 2^-37. */
static inline double exp2_f64(double x)
{
    double inside = x < -1000 ? -1000 : x;
    inside = inside > 1000 ? 1000 : inside;
    double n = nearest(inside), t = (inside - n) * 0.69314718055994530942;
    double series = 1 + t * (1 / 9.0);
    series = 1 + t * (1 / 8.0) * series;
    series = 1 + t * (1 / 7.0) * series;
    series = 1 + t * (1 / 6.0) * series;
    series = 1 + t * (1 / 5.0) * series;
    series = 1 + t * (1 / 4.0) * series;
    series = 1 + t * (1 / 3.0) * series;
    series = 1 + t * (1 / 2.0) * series;
    series = 1 + t * series;
    return x == x ? series * power_of_two(n) : x;
}

/* log2(x) for any positive f32 as a double: x = m 2^n with m around 1, and
 * ln m = 2 atanh((m - 1) / (m + 1)), whose series converges fast. */
static inline double log2_f64(double x)
{
    uint64_t bits = f64_bits(x);
    /* take m from [1/sqrt 2, sqrt 2): subtract sqrt(1/2)'s bits first */
    uint64_t offset = bits - UINT64_C(0x3fe6a09e667f3bcd);
    int64_t exponent = (int64_t)(offset >> 52) - (offset >> 63 ? 4096 : 0);
    double n =
        f64_from((uint64_t)(exponent + 2048) | UINT64_C(0x4330000000000000)) -
        0x1p52 - 2048;
    double m = f64_from(bits - ((uint64_t)exponent << 52));
    double s = (m - 1) / (m + 1), z = s * s;
    double series = 1 / 13.0 + z * (1 / 15.0);
    series = 1 / 11.0 + z * series;
    series = 1 / 9.0 + z * series;
    series = 1 / 7.0 + z * series;
    series = 1 / 5.0 + z * series;
    series = 1 / 3.0 + z * series;
    series = 1 + z * series;
    double result = n + s * series * (2 * 1.44269504088896340736);
    result = x == 0 ? -INFINITE : result;
    result = x < 0 ? NOT_A_NUMBER : result;
    return x < INFINITE ? result : x;
}

/* Turns of a circle: x / (2 pi) without its whole part.  The hardware takes
 * the f32 product with 1 / (2 pi), rounded toward zero: a double holds it whole
 * and is cut to 24 bits.  So from 2^24 turns on the angle counts as 0. */
static inline double turns(float x)
{
    double product = (double)x * (double)0.15915494309189533577f;
    double t = f64_from(f64_bits(product) & ~UINT64_C(0x1fffffff));
    double whole = t < 0x1p50 && t > -0x1p50 ? nearest(t) : t;
    return t - whole; /* infinity - infinity: NaN */
}
/* sin(2 pi t) and cos(2 pi t) for |t| <= 1/2: fold to |t| <= 1/4 at the top
 * of the wave, then Taylor series. */
static inline double sine_of_turns(double t)
{
    double folded = t > 0.25 ? 0.5 - t : t;
    folded = t < -0.25 ? -0.5 - t : folded;
    double y = folded * 6.28318530717958647693, z = y * y;
    double series = 1 - z * (1 / (14.0 * 15));
    series = 1 - z * (1 / (12.0 * 13)) * series;
    series = 1 - z * (1 / (10.0 * 11)) * series;
    series = 1 - z * (1 / (8.0 * 9)) * series;
    series = 1 - z * (1 / (6.0 * 7)) * series;
    series = 1 - z * (1 / (4.0 * 5)) * series;
    series = 1 - z * (1 / (2.0 * 3)) * series;
    return y * series;
}
static inline double cosine_of_turns(double t)
{
    return sine_of_turns(0.25 - (t < 0 ? -t : t));
}
/* Small angles stand for themselves: keeps -0 and subnormals. */
static inline double sine(float x)
{
    return x < 0x1p-20f && x > -0x1p-20f ? x : sine_of_turns(turns(x));
}

/* tanh x = (e^2x - 1) / (e^2x + 1); near 0 its series, which keeps -0. */
static inline double tanh_f64(double x)
{
    double far = x > 20 ? 20 : x;
    far = far < -20 ? -20 : far;
    double e = exp2_f64(far * (2 * 1.44269504088896340736));
    double near = x * (1 - x * x * (1 / 3.0));
    double result = x < 0x1p-10 && x > -0x1p-10 ? near : (e - 1) / (e + 1);
    return x == x ? result : x;
}

#define OUT(x) canonical_f32((float)(x))
#define OUT_FTZ(x) flush_f32(canonical_f32((float)(x)))
#define SAME(x) (x)
/* div.approx: a divisor beyond 2^126 gives 0, or NaN for an infinite a. */
static inline float divide_approx(float a, float b)
{
    uint32_t size = f32_bits(b) & 0x7fffffffu;
    int is_huge = size > 0x7e800000u && size < 0x7f800000u;
    return is_huge ? a * 0.0f * (b < 0 ? -1.0f : 1.0f) : a / b;
}
#define VARIANTS(X)   \
    X(, 0, SAME, OUT) \
    X(_ftz, FLAG_FTZ, flush_f32, OUT_FTZ)
#define DEFINE(v, flags, IN, OUT)                                           \
    UNARY(ex2_f32##v, f32, f32, OUT(exp2_f64((double)IN(A))))               \
    UNARY(lg2_f32##v, f32, f32, OUT(log2_f64((double)IN(A))))               \
    UNARY(sin_f32##v, f32, f32, OUT(sine(IN(A))))                           \
    UNARY(cos_f32##v, f32, f32, OUT(cosine_of_turns(turns(IN(A)))))         \
    UNARY(rcp_f32##v, f32, f32, OUT(1.0f / IN(A)))                          \
    UNARY(sqrt_f32##v, f32, f32, OUT(__builtin_sqrtf(IN(A))))               \
    UNARY(rsqrt_f32##v, f32, f32, OUT(1.0 / __builtin_sqrt((double)IN(A)))) \
    BINARY(div_full_f32##v, f32, f32, f32, OUT(IN(A) / IN(B)))              \
    BINARY(div_f32##v, f32, f32, f32, OUT(divide_approx(IN(A), IN(B))))
VARIANTS(DEFINE)
UNARY(tanh_f32, f32, f32, OUT(tanh_f64((double)A)))
#define ROWS(v, flags, IN, OUT)                                   \
    ROW(EX2, F32, NONE, 0, (flags) | FLAG_APPROX, ex2_f32##v)     \
    ROW(LG2, F32, NONE, 0, (flags) | FLAG_APPROX, lg2_f32##v)     \
    ROW(SIN, F32, NONE, 0, (flags) | FLAG_APPROX, sin_f32##v)     \
    ROW(COS, F32, NONE, 0, (flags) | FLAG_APPROX, cos_f32##v)     \
    ROW(RCP, F32, NONE, 0, (flags) | FLAG_APPROX, rcp_f32##v)     \
    ROW(SQRT, F32, NONE, 0, (flags) | FLAG_APPROX, sqrt_f32##v)   \
    ROW(RSQRT, F32, NONE, 0, (flags) | FLAG_APPROX, rsqrt_f32##v) \
    ROW(DIV, F32, NONE, 0, (flags) | FLAG_FULL, div_full_f32##v)  \
    ROW(DIV, F32, NONE, 0, (flags) | FLAG_APPROX, div_f32##v)

/* rcp and rsqrt .approx.ftz.f64: only the upper 32 bits of the operand count,
 * the lower 32 of the result are zero, subnormals are flushed. */
static inline double upper(double x)
{
    uint64_t bits = f64_bits(x) & ~UINT64_C(0xffffffff);
    uint64_t zero = bits & (UINT64_C(1) << 63);
    return f64_from(bits & UINT64_C(0x7ff0000000000000) ? bits : zero);
}
static inline double upper_result(double x)
{
    return x == x ? upper(x) : f64_from(UINT64_C(0x7fffffff00000000));
}
UNARY(rcp_f64, f64, f64, upper_result(1.0 / upper(A)))
UNARY(rsqrt_ftz_f64, f64, f64, upper_result(1.0 / __builtin_sqrt(upper(A))))
UNARY(rsqrt_f64, f64, f64, nan_of_two(A, A, 1.0 / __builtin_sqrt(A)))

/* Halves: the same functions, rounded to the smaller format. */
#define HALF(name, READ, WRITE, function)         \
    static inline uint32_t name##_one(uint32_t a) \
    {                                             \
        return WRITE(function((double)READ(a)));  \
    }                                             \
    UNARY(name, u32, u32, name##_one(A))          \
    UNARY(name##_x2, u32, u32, name##_one(A) | name##_one(A >> 16) << 16)
static inline float bf16_flushed(uint32_t x)
{
    return flush_f32(f32_of_bf16(x));
}
static inline uint32_t bf16_ftz_of(double x)
{
    uint32_t bits = bf16_of(x);
    return bits & 0x7f80u ? bits : bits & 0x8000u;
}
HALF(ex2_f16, f32_of_f16, f16_of, exp2_f64)
HALF(tanh_f16, f32_of_f16, f16_of, tanh_f64)
HALF(ex2_bf16, bf16_flushed, bf16_ftz_of, exp2_f64)
HALF(tanh_bf16, f32_of_bf16, bf16_of, tanh_f64)
#define ROW_BOTH(OP, TYPE, flags, name) \
    ROW(OP, TYPE, NONE, 0, flags, name) \
    ROW(OP, TYPE##X2, NONE, 0, flags, name##_x2)

/* clang-format off */
static const struct alu_row rows[] = {
    VARIANTS(ROWS)
    ROW(TANH, F32, NONE, 0, FLAG_APPROX, tanh_f32)
    ROW(RCP, F64, NONE, 0, FLAG_APPROX | FLAG_FTZ, rcp_f64)
    ROW(RSQRT, F64, NONE, 0, FLAG_APPROX | FLAG_FTZ, rsqrt_ftz_f64)
    ROW(RSQRT, F64, NONE, 0, FLAG_APPROX, rsqrt_f64)
    ROW_BOTH(EX2, F16, FLAG_APPROX, ex2_f16)
    ROW_BOTH(TANH, F16, FLAG_APPROX, tanh_f16)
    ROW_BOTH(EX2, BF16, FLAG_APPROX | FLAG_FTZ, ex2_bf16)
    ROW_BOTH(TANH, BF16, FLAG_APPROX, tanh_bf16)
};
/* clang-format on */
ALU_TABLE(alu_approx);
