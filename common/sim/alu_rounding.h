/* The operations whose result is rounded (PTX ISA 9.7.3): add sub mul fma div
 * rcp sqrt of f32 and f64.  Their loops are the same for every rounding; the
 * CPU's rounding mode decides.  alu_lanes_float.c uses them as they are,
 * alu_lanes_round.c sets the mode around them.
 *
 * A lane of f32 is OUT(IN(a) op IN(b), is_tiny): IN flushes subnormals where
 * the instruction says .ftz, OUT makes NaN canonical, flushes, saturates.
 * Who includes this defines SUM(a, b): the sum of two doubles from which a f32
 * can be rounded. */
#ifndef SIM_ALU_ROUNDING_H
#define SIM_ALU_ROUNDING_H

#include "sim/alu_half.h"
#include "sim/alu_lanes.h"

#define SAME(x) (x)
#define OUT(x, is_tiny) canonical_f32(x)
#define OUT_FTZ(x, is_tiny) flush_tiny_f32(canonical_f32(x), is_tiny)
#define OUT_SAT(x, is_tiny) saturate_f32(x)
#define OUT_FTZ_SAT(x, is_tiny) saturate_f32(flush_tiny_f32(x, is_tiny))
/* X(suffix of the name, flags, IN, OUT) */
#define PLAIN_AND_FTZ(X) \
    X(, 0, SAME, OUT)    \
    X(_ftz, FLAG_FTZ, flush_f32, OUT_FTZ)
#define VARIANTS(X)                  \
    PLAIN_AND_FTZ(X)                 \
    X(_sat, FLAG_SAT, SAME, OUT_SAT) \
    X(_ftz_sat, FLAG_FTZ | FLAG_SAT, flush_f32, OUT_FTZ_SAT)

/* Products of f32 are exact as doubles, quotients of doubles have more than
 * twice the bits of a f32. */
#define TINY_SUM(a, b) tiny_f32((double)(a) + (double)(b))
#define TINY_PRODUCT(a, b) tiny_f32((double)(a) * (double)(b))
#define TINY_FMA(a, b, c) tiny_f32(SUM((double)(a) * (double)(b), (double)(c)))
#define TINY_QUOTIENT(a, b) tiny_f32((double)(a) / (double)(b))
#define DEFINE_SUMS_AND_PRODUCTS(v, flags, IN, OUT)        \
    BINARY(add_f32##v, f32, f32, f32,                      \
           OUT(IN(A) + IN(B), TINY_SUM(IN(A), IN(B))))     \
    BINARY(sub_f32##v, f32, f32, f32,                      \
           OUT(IN(A) - IN(B), TINY_SUM(IN(A), -IN(B))))    \
    BINARY(mul_f32##v, f32, f32, f32,                      \
           OUT(IN(A) * IN(B), TINY_PRODUCT(IN(A), IN(B)))) \
    TERNARY(fma_f32##v, f32, f32, f32, f32,                \
            OUT(__builtin_fmaf(IN(A), IN(B), IN(C)),       \
                TINY_FMA(IN(A), IN(B), IN(C))))
#define DEFINE_QUOTIENTS(v, flags, IN, OUT)                                    \
    BINARY(div_f32##v, f32, f32, f32,                                          \
           OUT(IN(A) / IN(B), TINY_QUOTIENT(IN(A), IN(B))))                    \
    UNARY(rcp_f32##v, f32, f32, OUT(1.0f / IN(A), TINY_QUOTIENT(1.0f, IN(A)))) \
    UNARY(sqrt_f32##v, f32, f32, OUT(__builtin_sqrtf(IN(A)), 0))
VARIANTS(DEFINE_SUMS_AND_PRODUCTS)
PLAIN_AND_FTZ(DEFINE_QUOTIENTS)

/* Doubles know neither .ftz nor .sat. */
BINARY(add_f64, f64, f64, f64, nan_of_two(B, A, A + B))
BINARY(sub_f64, f64, f64, f64, nan_of_two(B, A, A - B))
BINARY(mul_f64, f64, f64, f64, nan_of_two(B, A, (A * B)))
TERNARY(fma_f64, f64, f64, f64, f64,
        nan_of_three(B, C, A, __builtin_fma(A, B, C)))
BINARY(div_f64, f64, f64, f64, nan_of_two(A, B, A / B))
UNARY(rcp_f64, f64, f64, nan_of_two(A, A, 1.0 / A))
UNARY(sqrt_f64, f64, f64, nan_of_two(A, A, __builtin_sqrt(A)))

/* The rows of all of them; ROW_ROUNDED(OP, TYPE, flags, name) makes them. */
#define ROWS_SUMS_AND_PRODUCTS(v, flags, IN, OUT) \
    ROW_ROUNDED(ADD, F32, flags, add_f32##v)      \
    ROW_ROUNDED(SUB, F32, flags, sub_f32##v)      \
    ROW_ROUNDED(MUL, F32, flags, mul_f32##v)      \
    ROW_ROUNDED(FMA, F32, flags, fma_f32##v)
#define ROWS_QUOTIENTS(v, flags, IN, OUT)    \
    ROW_ROUNDED(DIV, F32, flags, div_f32##v) \
    ROW_ROUNDED(RCP, F32, flags, rcp_f32##v) \
    ROW_ROUNDED(SQRT, F32, flags, sqrt_f32##v)
#define ROWS_ROUNDED                  \
    VARIANTS(ROWS_SUMS_AND_PRODUCTS)  \
    PLAIN_AND_FTZ(ROWS_QUOTIENTS)     \
    ROW_ROUNDED(ADD, F64, 0, add_f64) \
    ROW_ROUNDED(SUB, F64, 0, sub_f64) \
    ROW_ROUNDED(MUL, F64, 0, mul_f64) \
    ROW_ROUNDED(FMA, F64, 0, fma_f64) \
    ROW_ROUNDED(DIV, F64, 0, div_f64) \
    ROW_ROUNDED(RCP, F64, 0, rcp_f64) \
    ROW_ROUNDED(SQRT, F64, 0, sqrt_f64)

#endif
