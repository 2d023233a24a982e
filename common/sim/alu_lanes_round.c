/* f32 and f64 arithmetic with the roundings .rz .rm .rp (PTX ISA 9.7.3).
 *
 * The CPU has a rounding mode: it is set before a loop of alu_rounding.h and
 * put back after it, before anyone else computes.  The pragmas keep the
 * compiler from assuming a mode; and every loop loads and stores memory
 * between two calls that the compiler knows nothing of, so that no operation
 * can slip out. */
#if defined(__clang__)
#pragma STDC FENV_ACCESS ON
#else
#pragma GCC optimize("rounding-math")
#endif
#include "sim/alu_half.h"
#include <fenv.h>

/* Two roundings in the same direction are one. */
#define SUM(a, b) ((a) + (b))
#include "sim/alu_rounding.h"

#define DIRECTED(name, direction)        \
    ALU_HEAD(name##_##direction)         \
    {                                    \
        const int before = fegetround(); \
        fesetround(direction);           \
        name(d_, a_, b_, c_, e_);        \
        fesetround(before);              \
    }
#define THREE(name)               \
    DIRECTED(name, FE_TOWARDZERO) \
    DIRECTED(name, FE_DOWNWARD)   \
    DIRECTED(name, FE_UPWARD)
#define THREE_SUMS_AND_PRODUCTS(v, flags, IN, OUT) \
    THREE(add_f32##v) THREE(sub_f32##v) THREE(mul_f32##v) THREE(fma_f32##v)
#define THREE_QUOTIENTS(v, flags, IN, OUT) \
    THREE(div_f32##v) THREE(rcp_f32##v) THREE(sqrt_f32##v)
VARIANTS(THREE_SUMS_AND_PRODUCTS)
PLAIN_AND_FTZ(THREE_QUOTIENTS)
THREE(add_f64)
THREE(sub_f64)
THREE(mul_f64)
THREE(fma_f64)
THREE(div_f64)
THREE(rcp_f64)
THREE(sqrt_f64)

#define ROW_ROUNDED(OP, TYPE, flags, name)                     \
    ROW(OP, TYPE, NONE, ROUND_RZ, flags, name##_FE_TOWARDZERO) \
    ROW(OP, TYPE, NONE, ROUND_RM, flags, name##_FE_DOWNWARD)   \
    ROW(OP, TYPE, NONE, ROUND_RP, flags, name##_FE_UPWARD)
/* clang-format off */
static const struct alu_row rows[] = {ROWS_ROUNDED};
/* clang-format on */
ALU_TABLE(alu_round);
