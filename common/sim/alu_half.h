/* One float of any size: read it, flush it, clamp it, round to it.
 *
 *   f16   sign  5 exponent 10 fraction      f32  sign  8 exponent 23 fraction
 *   bf16  sign  8 exponent  7 fraction      f64  sign 11 exponent 52 fraction
 *
 * All are written without branches, for use inside EACH_LANE. */
#ifndef SIM_ALU_HALF_H
#define SIM_ALU_HALF_H

#include "sim/alu_lanes.h"

#define CANONICAL_F32 0x7fffffffu /* the one NaN that results have */
#define CANONICAL_HALF 0x7fffu    /* for f16 and bf16 alike */

/* .ftz: a subnormal becomes a zero of the same sign. */
static inline float flush_f32(float x)
{
    uint32_t bits = f32_bits(x);
    return f32_from(bits & 0x7f800000u ? bits : bits & 0x80000000u);
}
static inline float flush_tiny_f32(float x, int is_tiny)
{
    uint32_t bits = f32_bits(x);
    return f32_from(is_tiny ? bits & 0x80000000u : bits);
}
static inline uint32_t flush_f16(uint32_t bits)
{
    return bits & 0x7c00u ? bits & 0xffffu : bits & 0x8000u;
}
static inline float canonical_f32(float x)
{
    return x == x ? x : f32_from(CANONICAL_F32);
}
/* .sat: clamp to 0..1; NaN and -0 become +0. */
static inline float saturate_f32(float x)
{
    return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f;
}
static inline double saturate_f64(double x)
{
    return x > 0 ? (x < 1 ? x : 1.0) : 0.0;
}

/* f64 results that are NaN: an operand that was NaN goes through with its
 * payload, made quiet; `first` if both are.  A new NaN has the sign set.
 * (The CPU has rules of its own, hence this.)  Measured on an H200. */
#define NEW_NAN_F64 UINT64_C(0xfff8000000000000)
#define QUIET_F64 UINT64_C(0x0008000000000000)
static inline double nan_of_two(double first, double second, double result)
{
    uint64_t nan = second != second ? f64_bits(second) : NEW_NAN_F64;
    nan = first != first ? f64_bits(first) : nan;
    return result == result ? result : f64_from(nan | QUIET_F64);
}
static inline double nan_of_three(double first, double second, double third,
                                  double result)
{
    uint64_t nan = third != third ? f64_bits(third) : NEW_NAN_F64;
    nan = second != second ? f64_bits(second) : nan;
    nan = first != first ? f64_bits(first) : nan;
    return result == result ? result : f64_from(nan | QUIET_F64);
}

/* Is a result to be flushed?  It is when, rounded to 24 bits as if exponents
 * had no end, it lies below 2^-126: 2^-126 (1 - 2^-24) is flushed although as
 * a f32 it would round up to 2^-126.  (Measured on an H200.)  x is the exact
 * result or one from which it can still be rounded; far from the end of the
 * range, the conversion rounds to 24 bits in the mode that is set. */
static inline int tiny_f32(double x)
{
    return __builtin_fabsf((float)(x * 0x1p100)) < 0x1p-26f;
}

/* The smaller and the larger of two: -0 is below +0; a single NaN loses. */
static inline float min_number(float a, float b)
{
    float least = a < b ? a : b;
    uint32_t zero = f32_bits(a) | f32_bits(b); /* a == b: -0 if either is */
    least = a == b ? f32_from(zero) : least;
    least = a != a ? b : least;
    return b != b ? a : least;
}
static inline float max_number(float a, float b)
{
    float most = a > b ? a : b;
    uint32_t zero = f32_bits(a) & f32_bits(b);
    most = a == b ? f32_from(zero) : most;
    most = a != a ? b : most;
    return b != b ? a : most;
}
/* .xorsign.abs: compares sizes, and gives the product's sign. */
static inline float size_of(float x)
{
    return f32_from(f32_bits(x) & 0x7fffffffu);
}
static inline float with_sign_of(float size, float a, float b)
{
    uint32_t sign = (f32_bits(a) ^ f32_bits(b)) & 0x80000000u;
    return f32_from((f32_bits(size) & 0x7fffffffu) | sign);
}
static inline float min_xorsign(float a, float b)
{
    return with_sign_of(min_number(size_of(a), size_of(b)), a, b);
}
static inline float max_xorsign(float a, float b)
{
    return with_sign_of(max_number(size_of(a), size_of(b)), a, b);
}

/* a + b rounded to odd: to nearest, and where that lost something and the
 * last bit is even, on to the neighbour on the exact sum's side. */
static inline double sum_to_odd(double a, double b)
{
    double sum = a + b, b_part = sum - a;
    double error = (a - (sum - b_part)) + (b - b_part);
    uint64_t bits = f64_bits(sum);
    uint64_t neighbour = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
    int is_exact = !(error > 0 || error < 0); /* also when it is NaN */
    return f64_from(is_exact || (bits & 1) ? bits : neighbour);
}

/* Only the low 16 bits count.  The exponent moves from f16's bias 15 to f32's
 * 127; a subnormal is its fraction times 2^-24 (no f32 subnormal is computed
 * with on the way: CPUs are slow at that). */
static inline float f32_of_f16(uint32_t bits)
{
    uint32_t sign = (bits & 0x8000u) << 16, size = (bits & 0x7fffu) << 13;
    float small = (float)(int32_t)(bits & 0x3ffu) * 0x1p-24f;
    uint32_t number =
        size < 0x00800000u ? f32_bits(small) : size + (112u << 23);
    uint32_t special = size | 0x7f800000u; /* infinity and NaN */
    return f32_from(sign | (size < 0x0f800000u ? number : special));
}
static inline float f32_of_bf16(uint32_t bits)
{
    return f32_from(bits << 16);
}

/* A double rounded to a format with `fraction` bits and the given exponent
 * bias, in one of the modes of PTX ISA 9.3 (cvt): the bits of the result.
 * The significand is cut where the format's last bit is, further left for a
 * subnormal, and the rest decides whether one is added; a carry walks into
 * the exponent by itself. */
static inline __attribute__((always_inline)) uint32_t
narrow(double x, enum ptx_rounding mode, int fraction, int bias)
{
    const uint64_t bits = f64_bits(x), size = bits & (UINT64_MAX >> 1);
    const uint32_t negative = (uint32_t)(bits >> 63);
    const int64_t exponent = (int64_t)(size >> 52) - 1023;
    const uint64_t significand =
        (size & 0xfffffffffffffu) | (size ? UINT64_C(1) << 52 : 0);
    const int64_t below = (1 - bias) - exponent; /* > 0: subnormal */
    const int64_t cut_at = 52 - fraction + (below > 0 ? below : 0);
    const uint64_t cut = (uint64_t)(cut_at > 63 ? 63 : cut_at);
    const uint64_t kept = significand >> cut;
    const uint64_t rest = significand << (64 - cut), half = UINT64_C(1) << 63;
    const uint64_t up = mode == ROUND_RN
                            ? rest > half || (rest == half && (kept & 1))
                        : mode == ROUND_RNA ? rest >= half
                        : mode == ROUND_RM  ? negative && rest
                        : mode == ROUND_RP  ? !negative && rest
                                            : 0;
    const uint64_t scaled =
        (below > 0 ? 0 : (uint64_t)-below << fraction) + kept + up;
    const uint64_t infinity = (uint64_t)(2 * bias + 1) << fraction;
    /* Beyond the largest number: to infinity, unless the mode rounds the
     * other way. */
    const int to_infinity = mode == ROUND_RN || mode == ROUND_RNA ||
                            (mode == ROUND_RM && negative) ||
                            (mode == ROUND_RP && !negative);
    const uint64_t largest = to_infinity ? infinity : infinity - 1;
    const uint64_t finite = scaled < infinity ? scaled : largest;
    const uint64_t number = exponent == 1024 ? infinity : finite;
    const uint32_t sign = negative << (fraction == 23 ? 31 : 15);
    /* a NaN keeps its sign and the top of its payload, and becomes quiet */
    const uint64_t payload = (size & 0xfffffffffffffu) >> (52 - fraction);
    const uint64_t nan = infinity | payload | UINT64_C(1) << (fraction - 1);
    return sign | (uint32_t)(x == x ? number : nan);
}
/* Results of arithmetic have the canonical NaN. */
static inline uint32_t f16_of(double x)
{
    return x == x ? narrow(x, ROUND_RN, 10, 15) : CANONICAL_HALF;
}
static inline uint32_t bf16_of(double x)
{
    return x == x ? narrow(x, ROUND_RN, 7, 127) : CANONICAL_HALF;
}

#endif
