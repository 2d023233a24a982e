/* f32 and f64 arithmetic, rounded to nearest, and what needs no rounding
 * (PTX ISA 9.7.3).  The loops that round are in alu_rounding.h, the other
 * roundings in alu_lanes_round.c, approximations in alu_lanes_approx.c. */
#include "sim/alu_half.h"

/* Rounded to odd, a sum can be rounded to nearest once more. */
#define SUM(a, b) sum_to_odd(a, b)
#include "sim/alu_rounding.h"

/* ---- min, max, abs, neg --------------------------------------------------- */
/* With .NaN a single NaN wins. */
#define NAN_WINS(pick) (A != A || B != B ? f32_from(CANONICAL_F32) : (pick))
#define DEFINE_SIMPLE(v, flags, IN, OUT)                                       \
    BINARY(min_f32##v, f32, f32, f32, canonical_f32(min_number(IN(A), IN(B)))) \
    BINARY(max_f32##v, f32, f32, f32, canonical_f32(max_number(IN(A), IN(B)))) \
    BINARY(min_nan_f32##v, f32, f32, f32, NAN_WINS(min_number(IN(A), IN(B))))  \
    BINARY(max_nan_f32##v, f32, f32, f32, NAN_WINS(max_number(IN(A), IN(B))))  \
    BINARY(min_xor_f32##v, f32, f32, f32,                                      \
           canonical_f32(min_xorsign(IN(A), IN(B))))                           \
    BINARY(max_xor_f32##v, f32, f32, f32,                                      \
           canonical_f32(max_xorsign(IN(A), IN(B))))                           \
    BINARY(min_nan_xor_f32##v, f32, f32, f32,                                  \
           NAN_WINS(min_xorsign(IN(A), IN(B))))                                \
    BINARY(max_nan_xor_f32##v, f32, f32, f32,                                  \
           NAN_WINS(max_xorsign(IN(A), IN(B))))                                \
    UNARY(abs_f32##v, f32, f32, canonical_f32(size_of(IN(A))))                 \
    UNARY(neg_f32##v, f32, f32, canonical_f32(-IN(A)))
PLAIN_AND_FTZ(DEFINE_SIMPLE)
#define ROWS_SIMPLE(v, flags, IN, OUT)                             \
    ROW(MIN, F32, NONE, 0, flags, min_f32##v)                      \
    ROW(MAX, F32, NONE, 0, flags, max_f32##v)                      \
    ROW(MIN, F32, NONE, 0, (flags) | FLAG_NAN, min_nan_f32##v)     \
    ROW(MAX, F32, NONE, 0, (flags) | FLAG_NAN, max_nan_f32##v)     \
    ROW(MIN, F32, NONE, 0, (flags) | FLAG_XORSIGN, min_xor_f32##v) \
    ROW(MAX, F32, NONE, 0, (flags) | FLAG_XORSIGN, max_xor_f32##v) \
    ROW(MIN, F32, NONE, 0, (flags) | FLAG_NAN | FLAG_XORSIGN,      \
        min_nan_xor_f32##v)                                        \
    ROW(MAX, F32, NONE, 0, (flags) | FLAG_NAN | FLAG_XORSIGN,      \
        max_nan_xor_f32##v)                                        \
    ROW(ABS, F32, NONE, 0, flags, abs_f32##v)                      \
    ROW(NEG, F32, NONE, 0, flags, neg_f32##v)

static inline double smaller(double a, double b)
{
    double least = a < b ? a : b;
    uint64_t zero = f64_bits(a) | f64_bits(b); /* as in min_number */
    least = a == b ? f64_from(zero) : least;
    least = a != a ? b : least;
    return b != b ? a : least;
}
static inline double larger(double a, double b)
{
    double most = a > b ? a : b;
    uint64_t zero = f64_bits(a) & f64_bits(b);
    most = a == b ? f64_from(zero) : most;
    most = a != a ? b : most;
    return b != b ? a : most;
}
BINARY(min_f64, f64, f64, f64, nan_of_two(B, A, smaller(A, B)))
BINARY(max_f64, f64, f64, f64, nan_of_two(B, A, larger(A, B)))
/* a NaN keeps its sign and becomes quiet: the GPU adds a zero here */
#define SIGN64 (UINT64_C(1) << 63)
#define IS_NAN (A << 1 > UINT64_C(0x7ff0000000000000) << 1)
UNARY(abs_f64, u64, u64, IS_NAN ? A | QUIET_F64 : A & ~SIGN64)
UNARY(neg_f64, u64, u64, IS_NAN ? A | QUIET_F64 : A ^ SIGN64)

/* ---- slct, copysign ------------------------------------------------------- */
/* slct: c >= 0 ? a : b; a NaN in c chooses b.  Types: the data's, then c's. */
#define SLCT(name, T, TC, IN) TERNARY(name, T, T, T, TC, IN(C) >= 0 ? A : B)
SLCT(slct_u16_s32, u16, s32, SAME)
SLCT(slct_u32_s32, u32, s32, SAME)
SLCT(slct_u64_s32, u64, s32, SAME)
SLCT(slct_u16_f32, u16, f32, SAME)
SLCT(slct_u32_f32, u32, f32, SAME)
SLCT(slct_u64_f32, u64, f32, SAME)
SLCT(slct_u16_f32_ftz, u16, f32, flush_f32)
SLCT(slct_u32_f32_ftz, u32, f32, flush_f32)
SLCT(slct_u64_f32_ftz, u64, f32, flush_f32)
#define SLCT_TYPES(X) \
    X(B16, u16)       \
    X(U16, u16)       \
    X(S16, u16)       \
    X(B32, u32)       \
    X(U32, u32)       \
    X(S32, u32) X(F32, u32) X(B64, u64) X(U64, u64) X(S64, u64) X(F64, u64)
#define ROWS_SLCT(TYPE, T)                     \
    ROW(SLCT, TYPE, S32, 0, 0, slct_##T##_s32) \
    ROW(SLCT, TYPE, F32, 0, 0, slct_##T##_f32) \
    ROW(SLCT, TYPE, F32, 0, FLAG_FTZ, slct_##T##_f32_ftz)

/* copysign: b with the sign of a, NaN payload and all. */
BINARY(copysign_b32, u32, u32, u32, (A & 0x80000000u) | (B & 0x7fffffffu))
BINARY(copysign_b64, u64, u64, u64, (A & SIGN64) | (B & ~SIGN64))

#define ROW_ROUNDED(OP, TYPE, flags, name) \
    ROW(OP, TYPE, NONE, ROUND_RN, flags, name)
/* clang-format off */
static const struct alu_row rows[] = {
    ROWS_ROUNDED
    PLAIN_AND_FTZ(ROWS_SIMPLE)
    ROW(MIN, F64, NONE, 0, 0, min_f64)
    ROW(MAX, F64, NONE, 0, 0, max_f64)
    ROW(ABS, F64, NONE, 0, 0, abs_f64)
    ROW(NEG, F64, NONE, 0, 0, neg_f64)
    SLCT_TYPES(ROWS_SLCT)
    ROW(COPYSIGN, F32, NONE, 0, 0, copysign_b32)
    ROW(COPYSIGN, F64, NONE, 0, 0, copysign_b64)
};
/* clang-format on */
ALU_TABLE(alu_float);
