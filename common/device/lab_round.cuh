/* lab_round.cuh: arithmetic and conversions whose rounding is in the name.
 *
 * _rn nearest even, _rz towards zero, _ru up, _rd down. Inline asm keeps each
 * of them one instruction: clang may neither fold it nor fuse it into an fma.
 */
#ifndef LAB_ROUND_CUH
#define LAB_ROUND_CUH

/* C's names for a rounding are rn rz ru rd, PTX's are rn rz rp rm. */
#define LAB_ROUNDED(c, ptx)                                                   \
    LAB_ASM2(__fadd_##c, "add." ptx ".f32", float, "f", float, "f", float,    \
             "f")                                                             \
    LAB_ASM2(__fsub_##c, "sub." ptx ".f32", float, "f", float, "f", float,    \
             "f")                                                             \
    LAB_ASM2(__fmul_##c, "mul." ptx ".f32", float, "f", float, "f", float,    \
             "f")                                                             \
    LAB_ASM2(__fdiv_##c, "div." ptx ".f32", float, "f", float, "f", float,    \
             "f")                                                             \
    LAB_ASM3(__fmaf_##c, "fma." ptx ".f32", float, "f", float, "f", float,    \
             "f", float, "f")                                                 \
    LAB_ASM1(__frcp_##c, "rcp." ptx ".f32", float, "f", float, "f")           \
    LAB_ASM1(__fsqrt_##c, "sqrt." ptx ".f32", float, "f", float, "f")         \
    LAB_ASM2(__dadd_##c, "add." ptx ".f64", double, "d", double, "d", double, \
             "d")                                                             \
    LAB_ASM2(__dsub_##c, "sub." ptx ".f64", double, "d", double, "d", double, \
             "d")                                                             \
    LAB_ASM2(__dmul_##c, "mul." ptx ".f64", double, "d", double, "d", double, \
             "d")                                                             \
    LAB_ASM2(__ddiv_##c, "div." ptx ".f64", double, "d", double, "d", double, \
             "d")                                                             \
    LAB_ASM3(__fma_##c, "fma." ptx ".f64", double, "d", double, "d", double,  \
             "d", double, "d")                                                \
    LAB_ASM1(__drcp_##c, "rcp." ptx ".f64", double, "d", double, "d")         \
    LAB_ASM1(__dsqrt_##c, "sqrt." ptx ".f64", double, "d", double, "d")       \
    LAB_ASM1(__int2float_##c, "cvt." ptx ".f32.s32", float, "f", int, "r")    \
    LAB_ASM1(__uint2float_##c, "cvt." ptx ".f32.u32", float, "f",             \
             unsigned int, "r")                                               \
    LAB_ASM1(__ll2float_##c, "cvt." ptx ".f32.s64", float, "f", long long,    \
             "l")                                                             \
    LAB_ASM1(__ull2float_##c, "cvt." ptx ".f32.u64", float, "f",              \
             unsigned long long, "l")                                         \
    LAB_ASM1(__ll2double_##c, "cvt." ptx ".f64.s64", double, "d", long long,  \
             "l")                                                             \
    LAB_ASM1(__ull2double_##c, "cvt." ptx ".f64.u64", double, "d",            \
             unsigned long long, "l")                                         \
    LAB_ASM1(__double2float_##c, "cvt." ptx ".f32.f64", float, "f", double, "d")

LAB_ROUNDED(rn, "rn")
LAB_ROUNDED(rz, "rz")
LAB_ROUNDED(ru, "rp")
LAB_ROUNDED(rd, "rm")

/* To a whole number: PTX adds an i to the rounding. */
#define LAB_TO_WHOLE(c, ptx)                                                   \
    LAB_ASM1(__float2int_##c, "cvt." ptx ".s32.f32", int, "r", float, "f")     \
    LAB_ASM1(__float2uint_##c, "cvt." ptx ".u32.f32", unsigned int, "r",       \
             float, "f")                                                       \
    LAB_ASM1(__float2ll_##c, "cvt." ptx ".s64.f32", long long, "l", float,     \
             "f")                                                              \
    LAB_ASM1(__float2ull_##c, "cvt." ptx ".u64.f32", unsigned long long, "l",  \
             float, "f")                                                       \
    LAB_ASM1(__double2int_##c, "cvt." ptx ".s32.f64", int, "r", double, "d")   \
    LAB_ASM1(__double2uint_##c, "cvt." ptx ".u32.f64", unsigned int, "r",      \
             double, "d")                                                      \
    LAB_ASM1(__double2ll_##c, "cvt." ptx ".s64.f64", long long, "l", double,   \
             "d")                                                              \
    LAB_ASM1(__double2ull_##c, "cvt." ptx ".u64.f64", unsigned long long, "l", \
             double, "d")

LAB_TO_WHOLE(rn, "rni")
LAB_TO_WHOLE(rz, "rzi")
LAB_TO_WHOLE(ru, "rpi")
LAB_TO_WHOLE(rd, "rmi")

LAB_FN double __int2double_rn(int x)
{
    return x;
}
LAB_FN double __uint2double_rn(unsigned int x)
{
    return x;
}

/* Fast and rough: one approximate instruction. */
LAB_ASM1(lab_ex2, "ex2.approx.f32", float, "f", float, "f")
LAB_ASM1(lab_lg2, "lg2.approx.f32", float, "f", float, "f")
LAB_ASM1(__sinf, "sin.approx.f32", float, "f", float, "f")
LAB_ASM1(__cosf, "cos.approx.f32", float, "f", float, "f")
LAB_ASM1(__frsqrt_rn, "rsqrt.approx.f32", float, "f", float, "f")
LAB_ASM2(lab_div_approx, "div.approx.f32", float, "f", float, "f", float, "f")
LAB_ASM2(lab_div_full, "div.full.f32", float, "f", float, "f", float, "f")
LAB_ASM1(lab_tanh, "tanh.approx.f32", float, "f", float, "f")

LAB_FN float __exp2f(float x)
{
    return lab_ex2(x);
}
LAB_FN float __expf(float x)
{
    return lab_ex2(x * 1.442695041f);
}
LAB_FN float __exp10f(float x)
{
    return lab_ex2(x * 3.321928095f);
}
LAB_FN float __log2f(float x)
{
    return lab_lg2(x);
}
LAB_FN float __logf(float x)
{
    return lab_lg2(x) * 0.6931471806f;
}
LAB_FN float __log10f(float x)
{
    return lab_lg2(x) * 0.3010299957f;
}
LAB_FN float __powf(float x, float y)
{
    return lab_ex2(y * lab_lg2(x));
}
LAB_FN float __tanf(float x)
{
    return lab_div_approx(__sinf(x), __cosf(x));
}
LAB_FN float __fdividef(float a, float b)
{
    return lab_div_approx(a, b);
}
LAB_FN float __saturatef(float x)
{
    float result;
    asm("cvt.sat.f32.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}
LAB_FN void __sincosf(float x, float *s, float *c)
{
    *s = __sinf(x);
    *c = __cosf(x);
}

#endif
