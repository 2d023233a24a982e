/* f32 arithmetic, rounded to nearest (PTX ISA 9.7.3).
 *
 * A lane's operation is  OUT(IN(a) op IN(b)):  IN flushes subnormals where the
 * instruction says .ftz, OUT makes NaN canonical, flushes or saturates.  The
 * other roundings are in alu_lanes_round.c, the approximate ones in
 * alu_lanes_approx.c. */
#include "sim/alu_half.h"
#include "sim/alu_lanes.h"

#define SAME(x) (x)
#define FLUSH_CANONICAL(x) flush_f32(canonical_f32(x))
#define FLUSH_SATURATE(x) flush_f32(saturate_f32(x))
#define VARIANTS(X, ...)                                                     \
    X(, 0, SAME, canonical_f32, __VA_ARGS__)                                 \
    X(_ftz, FLAG_FTZ, flush_f32, FLUSH_CANONICAL, __VA_ARGS__)               \
    X(_sat, FLAG_SAT, SAME, saturate_f32, __VA_ARGS__)                       \
    X(_ftz_sat, FLAG_FTZ | FLAG_SAT, flush_f32, FLUSH_SATURATE, __VA_ARGS__)

#define DEFINE_ARITHMETIC(v, flags, IN, OUT, ...)                            \
    BINARY(add_f32##v, f32, f32, f32, OUT(IN(A) + IN(B)))                    \
    BINARY(sub_f32##v, f32, f32, f32, OUT(IN(A) - IN(B)))                    \
    BINARY(mul_f32##v, f32, f32, f32, OUT(IN(A) * IN(B)))                    \
    TERNARY(fma_f32##v, f32, f32, f32, f32,                                  \
            OUT(__builtin_fmaf(IN(A), IN(B), IN(C))))
VARIANTS(DEFINE_ARITHMETIC, )
#define ROWS_ARITHMETIC(v, flags, IN, OUT, ...)                              \
    ROW(ADD, F32, NONE, ROUND_RN, flags, add_f32##v)                         \
    ROW(SUB, F32, NONE, ROUND_RN, flags, sub_f32##v)                         \
    ROW(MUL, F32, NONE, ROUND_RN, flags, mul_f32##v)                         \
    ROW(FMA, F32, NONE, ROUND_RN, flags, fma_f32##v)

/* ---- without .sat -------------------------------------------------------- */
/* With .NaN a single NaN wins. */
#define NAN_WINS(pick) (A != A || B != B ? f32_from(CANONICAL_F32) : (pick))
#define PLAIN_AND_FTZ(X)                                                     \
    X(, 0, SAME, canonical_f32)                                              \
    X(_ftz, FLAG_FTZ, flush_f32, FLUSH_CANONICAL)
#define DEFINE_SIMPLE(v, flags, IN, OUT)                                     \
    BINARY(min_f32##v, f32, f32, f32, OUT(min_number(IN(A), IN(B))))         \
    BINARY(max_f32##v, f32, f32, f32, OUT(max_number(IN(A), IN(B))))         \
    BINARY(min_nan_f32##v, f32, f32, f32,                                    \
           OUT(NAN_WINS(min_number(IN(A), IN(B)))))                          \
    BINARY(max_nan_f32##v, f32, f32, f32,                                    \
           OUT(NAN_WINS(max_number(IN(A), IN(B)))))                          \
    BINARY(min_xor_f32##v, f32, f32, f32, OUT(min_xorsign(IN(A), IN(B))))            \
    BINARY(max_xor_f32##v, f32, f32, f32, OUT(max_xorsign(IN(A), IN(B))))            \
    BINARY(min_nan_xor_f32##v, f32, f32, f32,                                \
           OUT(NAN_WINS(min_xorsign(IN(A), IN(B)))))                             \
    BINARY(max_nan_xor_f32##v, f32, f32, f32,                                \
           OUT(NAN_WINS(max_xorsign(IN(A), IN(B)))))                             \
    UNARY(abs_f32##v, f32, f32, OUT(size_of(IN(A))))                         \
    UNARY(neg_f32##v, f32, f32, OUT(-IN(A)))                                 \
    BINARY(div_f32##v, f32, f32, f32, OUT(IN(A) / IN(B)))                    \
    UNARY(rcp_f32##v, f32, f32, OUT(1.0f / IN(A)))                           \
    UNARY(sqrt_f32##v, f32, f32, OUT(__builtin_sqrtf(IN(A))))
PLAIN_AND_FTZ(DEFINE_SIMPLE)
#define ROWS_SIMPLE(v, flags, IN, OUT)                                       \
    ROW(MIN, F32, NONE, 0, flags, min_f32##v)                                \
    ROW(MAX, F32, NONE, 0, flags, max_f32##v)                                \
    ROW(MIN, F32, NONE, 0, (flags) | FLAG_NAN, min_nan_f32##v)               \
    ROW(MAX, F32, NONE, 0, (flags) | FLAG_NAN, max_nan_f32##v)               \
    ROW(MIN, F32, NONE, 0, (flags) | FLAG_XORSIGN, min_xor_f32##v)           \
    ROW(MAX, F32, NONE, 0, (flags) | FLAG_XORSIGN, max_xor_f32##v)           \
    ROW(MIN, F32, NONE, 0, (flags) | FLAG_NAN | FLAG_XORSIGN,                \
        min_nan_xor_f32##v)                                                  \
    ROW(MAX, F32, NONE, 0, (flags) | FLAG_NAN | FLAG_XORSIGN,                \
        max_nan_xor_f32##v)                                                  \
    ROW(ABS, F32, NONE, 0, flags, abs_f32##v)                                \
    ROW(NEG, F32, NONE, 0, flags, neg_f32##v)                                \
    ROW(DIV, F32, NONE, ROUND_RN, flags, div_f32##v)                         \
    ROW(RCP, F32, NONE, ROUND_RN, flags, rcp_f32##v)                         \
    ROW(SQRT, F32, NONE, ROUND_RN, flags, sqrt_f32##v)

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
#define SLCT_TYPES(X)                                                        \
    X(B16, u16) X(U16, u16) X(S16, u16) X(B32, u32) X(U32, u32) X(S32, u32)  \
    X(F32, u32) X(B64, u64) X(U64, u64) X(S64, u64) X(F64, u64)
#define ROWS_SLCT(TYPE, T)                                                   \
    ROW(SLCT, TYPE, S32, 0, 0, slct_##T##_s32)                               \
    ROW(SLCT, TYPE, F32, 0, 0, slct_##T##_f32)                               \
    ROW(SLCT, TYPE, F32, 0, FLAG_FTZ, slct_##T##_f32_ftz)

/* copysign: b with the sign of a, NaN payload and all. */
BINARY(copysign_b32, u32, u32, u32, (A & 0x80000000u) | (B & 0x7fffffffu))
#define TOP64 (UINT64_C(1) << 63)
BINARY(copysign_b64, u64, u64, u64, (A & TOP64) | (B & ~TOP64))

static const struct alu_row rows[] = {
    VARIANTS(ROWS_ARITHMETIC, )
    PLAIN_AND_FTZ(ROWS_SIMPLE)
    SLCT_TYPES(ROWS_SLCT)
    ROW(COPYSIGN, F32, NONE, 0, 0, copysign_b32)
    ROW(COPYSIGN, F64, NONE, 0, 0, copysign_b64)
};
ALU_TABLE(alu_float);
