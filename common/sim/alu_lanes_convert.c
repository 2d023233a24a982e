/* The passes that conversions consist of; see alu_convert.h. */
#include "sim/alu_convert.h"
#include "sim/alu_half.h"

/* ---- float to integer ---------------------------------------------------- */
/* x is integral or NaN.  What is too large is clamped.  A NaN gives 0, but
 * 2^63 as the bits of a 64-bit integer (9.7.9; the rule for f64 is in the plan).
 * Numbers below 2^51 sit in the low bits of 1.5 * 2^52 + x. */
static inline int64_t small_integer(double x, double lowest, double highest)
{
    double low = x >= lowest ? x : lowest;
    double in_range = low <= highest ? low : highest;
    int64_t shifted = (int64_t)f64_bits(in_range + 0x1.8p52);
    int64_t value = shifted - (int64_t)f64_bits(0x1.8p52);
    return x == x ? value : 0;
}
static inline int64_t integer_s64(double x)
{
    int64_t value = (int64_t)(x < 0x1p63 && x >= -0x1p63 ? x : 0.0);
    value = x >= 0x1p63 ? INT64_MAX : value;
    return x >= -0x1p63 ? value : INT64_MIN; /* NaN too */
}
static inline uint64_t integer_u64(double x)
{
    uint64_t value = (uint64_t)(x < 0x1p64 && x > 0 ? x : 0.0);
    value = x >= 0x1p64 ? UINT64_MAX : value;
    return x == x ? value : UINT64_C(1) << 63;
}
static inline int64_t clamp_f32(float x, double lowest, double highest)
{
    return small_integer(__builtin_trunc((double)x), lowest, highest);
}

/* ---- integer to float ---------------------------------------------------- */
/* high and low parts are exact; `sum` is their sum rounded to nearest, and
 * `error` what the rounding lost, exactly (high is the larger one).  From the
 * two, every other rounding is a step to a neighbour. */
static inline __attribute__((always_inline)) double
sum_rounded(double high, double low, enum ptx_rounding mode)
{
    double sum = high + low, error = low - (sum - high);
    uint64_t bits = f64_bits(sum);
    uint64_t away = bits + 1, toward = bits - 1; /* from and to zero */
    int is_short = (error > 0) == (sum > 0) && error != 0;
    int is_long = (error > 0) != (sum > 0) && error != 0;
    if (mode == ROUND_NONE) /* to odd: inexact results end in a one */
        bits = bits & 1 ? bits : is_short ? away : is_long ? toward : bits;
    if (mode == ROUND_RZ)
        bits = is_long ? toward : bits;
    if (mode == ROUND_RM)
        bits = error < 0 ? (sum > 0 ? toward : away) : bits;
    if (mode == ROUND_RP)
        bits = error > 0 ? (sum > 0 ? away : toward) : bits;
    return f64_from(bits);
}
static inline double low_part(uint64_t x)
{
    return f64_from(UINT64_C(0x4330000000000000) | (x & 0xffffffffu)) - 0x1p52;
}
/* the upper word flipped in its sign and biased by 2^31: both are exact */
static inline double high_part_signed(int64_t x)
{
    uint64_t word = ((uint64_t)x >> 32) ^ 0x80000000u;
    return (f64_from(UINT64_C(0x4330000000000000) | word) - 0x1p52 - 0x1p31) *
           0x1p32;
}
static inline double high_part_unsigned(uint64_t x)
{
    return low_part(x >> 32) * 0x1p32;
}

/* ---- f32 to f16, to nearest ---------------------------------------------- */
static inline uint32_t f16_of_f32(float x)
{
    uint32_t bits = f32_bits(x), size = bits & 0x7fffffffu;
    uint32_t odd = size >> 13 & 1;
    /* rebias from 127 to 15, and round at bit 13, ties to even */
    uint32_t normal = (size - (112u << 23) + 0xfffu + odd) >> 13;
    /* below 2^-14: adding 1/2 puts the bit of 2^-24 last, and rounds there */
    uint32_t subnormal = f32_bits(f32_from(size) + 0.5f) - f32_bits(0.5f);
    uint32_t number = size < 0x38800000u ? subnormal : normal;
    number = size >= 0x477ff000u ? 0x7c00u : number; /* 65520 and above */
    return size > 0x7f800000u ? CANONICAL_HALF : number | (bits >> 31 << 15);
}

/* ---- integer to integer, .sat -------------------------------------------- */
static inline uint64_t clamp_s64(int64_t x, int64_t lowest, int64_t highest)
{
    return (uint64_t)(x < lowest ? lowest : x > highest ? highest : x);
}
static inline uint64_t clamp_u64(uint64_t x, uint64_t lowest, uint64_t highest)
{
    return x < lowest ? lowest : x > highest ? highest : x;
}

/* ---- the passes ---------------------------------------------------------- */
#define DEFINE_COPY(id, T, kept, becomes, source) \
    UNARY(pass_##id##_from_##source, T, source, (becomes)(kept)A)
ALU_COPIES(DEFINE_COPY, u32)
ALU_COPIES(DEFINE_COPY, u64)
#define DEFINE_CLAMP(id, C_TYPE, lowest, highest) \
    UNARY(pass_##id, u64, C_TYPE, clamp_##C_TYPE(A, lowest, highest))
ALU_CLAMPS(DEFINE_CLAMP)
#define DEFINE_NARROW(id, mode, fraction, bias) \
    UNARY(pass_##id, u32, f64, narrow(A, mode, fraction, bias))
ALU_NARROWS(DEFINE_NARROW)
#define DEFINE_WIDE(id, mode)                                            \
    UNARY(pass_s64_##id, f64, s64,                                       \
          sum_rounded(high_part_signed(A), low_part((uint64_t)A), mode)) \
    UNARY(pass_u64_##id, f64, u64,                                       \
          sum_rounded(high_part_unsigned(A), low_part(A), mode))
ALU_WIDES(DEFINE_WIDE)
#define DEFINE_PASS(id, TD, TA, expression) UNARY(pass_##id, TD, TA, expression)
ALU_PASSES(DEFINE_PASS)

/* clang-format off */
static alu_value_fn *const passes[PASS_COUNT] = {
    NULL,
#define LIST(id, ...) pass_##id,
#define LIST_4(id, ...) pass_##id##_from_u32,
#define LIST_8(id, ...) pass_##id##_from_u64,
#define LIST_SIGNED(id, ...) pass_s64_##id,
#define LIST_UNSIGNED(id, ...) pass_u64_##id,
    ALU_COPIES(LIST_4, ) ALU_COPIES(LIST_8, )
    ALU_CLAMPS(LIST)
    ALU_NARROWS(LIST)
    ALU_WIDES(LIST_SIGNED) ALU_WIDES(LIST_UNSIGNED)
    ALU_PASSES(LIST)
};
/* clang-format on */

ALU_HEAD(run_plan)
{
    uint64_t between[LANES] __attribute__((aligned(64)));
    uint64_t plan = *(const lane_u64 *)e_;
    const void *from = a_;
    ALU_UNUSED(b_), ALU_UNUSED(c_);
    for (; plan >> 8; plan >>= 8, from = between)
        passes[plan & 0xff](between, from, NULL, NULL, NULL);
    passes[plan](d_, from, NULL, NULL, NULL);
}

/* cvt.f16x2.f32 d, a, b: a becomes the upper half of d, b the lower one. */
ALU_HEAD(pack)
{
    uint32_t high[LANES] __attribute__((aligned(64)));
    uint32_t low[LANES] __attribute__((aligned(64)));
    lane_u32 *d = ALIGNED(d_);
    run_plan(high, a_, NULL, NULL, e_);
    run_plan(low, b_, NULL, NULL, e_);
    ALU_UNUSED(c_);
    EACH_LANE d[i] = high[i] << 16 | low[i];
}

const struct alu_converter ALU_NAME(alu_converter) = {passes, run_plan, pack};
