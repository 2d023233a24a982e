/* f32 and f64 arithmetic with the roundings .rz .rm .rp (PTX ISA 9.7.3).
 *
 * The CPU has a rounding mode; the loops are the same as for .rn.  The mode is
 * put back before anyone else computes.  The pragmas keep the compiler from
 * assuming a mode; every loop loads and stores memory between two calls that
 * it knows nothing of, so no operation can slip out. */
#if defined(__clang__)
#pragma STDC FENV_ACCESS ON
#else
#pragma GCC optimize("rounding-math")
#endif
#include "sim/alu_half.h"
#include "sim/alu_lanes.h"
#include <fenv.h>

#define DIRECTED(name, direction, to_nearest)                                \
    ALU_HEAD(name)                                                           \
    {                                                                        \
        const int before = fegetround();                                     \
        fesetround(direction);                                               \
        to_nearest(d_, a_, b_, c_, e_);                                      \
        fesetround(before);                                                  \
    }
#define THREE(name)                                                          \
    DIRECTED(name##_RZ, FE_TOWARDZERO, name)                                 \
    DIRECTED(name##_RM, FE_DOWNWARD, name)                                   \
    DIRECTED(name##_RP, FE_UPWARD, name)
#define ROW_THREE(OP, TYPE, flags, name)                                     \
    ROW(OP, TYPE, NONE, ROUND_RZ, flags, name##_RZ)                          \
    ROW(OP, TYPE, NONE, ROUND_RM, flags, name##_RM)                          \
    ROW(OP, TYPE, NONE, ROUND_RP, flags, name##_RP)

/* ---- f32 ------------------------------------------------------------------ */
#define SAME(x) (x)
#define FLUSH_CANONICAL(x) flush_f32(canonical_f32(x))
#define FLUSH_SATURATE(x) flush_f32(saturate_f32(x))
#define PLAIN_AND_FTZ(X)                                                     \
    X(, 0, SAME, canonical_f32)                                              \
    X(_ftz, FLAG_FTZ, flush_f32, FLUSH_CANONICAL)
#define VARIANTS(X)                                                          \
    PLAIN_AND_FTZ(X)                                                         \
    X(_sat, FLAG_SAT, SAME, saturate_f32)                                    \
    X(_ftz_sat, FLAG_FTZ | FLAG_SAT, flush_f32, FLUSH_SATURATE)

#define DEFINE_ARITHMETIC(v, flags, IN, OUT)                                 \
    BINARY(add_f32##v, f32, f32, f32, OUT(IN(A) + IN(B)))                    \
    BINARY(sub_f32##v, f32, f32, f32, OUT(IN(A) - IN(B)))                    \
    BINARY(mul_f32##v, f32, f32, f32, OUT(IN(A) * IN(B)))                    \
    TERNARY(fma_f32##v, f32, f32, f32, f32,                                  \
            OUT(__builtin_fmaf(IN(A), IN(B), IN(C))))                        \
    THREE(add_f32##v) THREE(sub_f32##v) THREE(mul_f32##v) THREE(fma_f32##v)
VARIANTS(DEFINE_ARITHMETIC)
#define ROWS_ARITHMETIC(v, flags, IN, OUT)                                   \
    ROW_THREE(ADD, F32, flags, add_f32##v)                                   \
    ROW_THREE(SUB, F32, flags, sub_f32##v)                                   \
    ROW_THREE(MUL, F32, flags, mul_f32##v)                                   \
    ROW_THREE(FMA, F32, flags, fma_f32##v)

#define DEFINE_QUOTIENT(v, flags, IN, OUT)                                   \
    BINARY(div_f32##v, f32, f32, f32, OUT(IN(A) / IN(B)))                    \
    UNARY(rcp_f32##v, f32, f32, OUT(1.0f / IN(A)))                           \
    UNARY(sqrt_f32##v, f32, f32, OUT(__builtin_sqrtf(IN(A))))                \
    THREE(div_f32##v) THREE(rcp_f32##v) THREE(sqrt_f32##v)
PLAIN_AND_FTZ(DEFINE_QUOTIENT)
#define ROWS_QUOTIENT(v, flags, IN, OUT)                                     \
    ROW_THREE(DIV, F32, flags, div_f32##v)                                   \
    ROW_THREE(RCP, F32, flags, rcp_f32##v)                                   \
    ROW_THREE(SQRT, F32, flags, sqrt_f32##v)

/* ---- f64 ------------------------------------------------------------------ */
BINARY(add_f64, f64, f64, f64, nan_of_two(A, B, A + B))
BINARY(sub_f64, f64, f64, f64, nan_of_two(A, B, A - B))
BINARY(mul_f64, f64, f64, f64, nan_of_two(A, B, A * B))
TERNARY(fma_f64, f64, f64, f64, f64,
        nan_of_three(A, B, C, __builtin_fma(A, B, C)))
BINARY(div_f64, f64, f64, f64, nan_of_two(A, B, A / B))
UNARY(rcp_f64, f64, f64, nan_of_two(A, A, 1.0 / A))
UNARY(sqrt_f64, f64, f64, nan_of_two(A, A, __builtin_sqrt(A)))
THREE(add_f64) THREE(sub_f64) THREE(mul_f64) THREE(fma_f64)
THREE(div_f64) THREE(rcp_f64) THREE(sqrt_f64)

static const struct alu_row rows[] = {
    VARIANTS(ROWS_ARITHMETIC)
    PLAIN_AND_FTZ(ROWS_QUOTIENT)
    ROW_THREE(ADD, F64, 0, add_f64)
    ROW_THREE(SUB, F64, 0, sub_f64)
    ROW_THREE(MUL, F64, 0, mul_f64)
    ROW_THREE(FMA, F64, 0, fma_f64)
    ROW_THREE(DIV, F64, 0, div_f64)
    ROW_THREE(RCP, F64, 0, rcp_f64)
    ROW_THREE(SQRT, F64, 0, sqrt_f64)
};
ALU_TABLE(alu_round);
