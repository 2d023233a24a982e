/* f64 arithmetic, rounded to nearest (PTX ISA 9.7.3).  Doubles know neither
 * .ftz nor .sat. */
#include "sim/alu_half.h"
#include "sim/alu_lanes.h"

BINARY(add_f64, f64, f64, f64, nan_of_two(A, B, A + B))
BINARY(sub_f64, f64, f64, f64, nan_of_two(A, B, A - B))
BINARY(mul_f64, f64, f64, f64, nan_of_two(A, B, A * B))
TERNARY(fma_f64, f64, f64, f64, f64,
        nan_of_three(A, B, C, __builtin_fma(A, B, C)))
BINARY(div_f64, f64, f64, f64, nan_of_two(A, B, A / B))
UNARY(rcp_f64, f64, f64, nan_of_two(A, A, 1.0 / A))
UNARY(sqrt_f64, f64, f64, nan_of_two(A, A, __builtin_sqrt(A)))

/* The smaller of two: -0 is below +0; a single NaN loses. */
static inline double smaller(double a, double b)
{
    double least = a < b ? a : b;
    uint64_t zero = f64_bits(a) | f64_bits(b); /* a == b: -0 if either is */
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
BINARY(min_f64, f64, f64, f64, nan_of_two(A, B, smaller(A, B)))
BINARY(max_f64, f64, f64, f64, nan_of_two(A, B, larger(A, B)))
#define SIGN64 (UINT64_C(1) << 63)
UNARY(abs_f64, u64, u64, A & ~SIGN64)
UNARY(neg_f64, u64, u64, A ^ SIGN64)

static const struct alu_row rows[] = {
    ROW(ADD, F64, NONE, ROUND_RN, 0, add_f64)
    ROW(SUB, F64, NONE, ROUND_RN, 0, sub_f64)
    ROW(MUL, F64, NONE, ROUND_RN, 0, mul_f64)
    ROW(FMA, F64, NONE, ROUND_RN, 0, fma_f64)
    ROW(DIV, F64, NONE, ROUND_RN, 0, div_f64)
    ROW(RCP, F64, NONE, ROUND_RN, 0, rcp_f64)
    ROW(SQRT, F64, NONE, ROUND_RN, 0, sqrt_f64)
    ROW(MIN, F64, NONE, 0, 0, min_f64)
    ROW(MAX, F64, NONE, 0, 0, max_f64)
    ROW(ABS, F64, NONE, 0, 0, abs_f64)
    ROW(NEG, F64, NONE, 0, 0, neg_f64)
};
ALU_TABLE(alu_double);
