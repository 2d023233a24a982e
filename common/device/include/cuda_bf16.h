/* <cuda_bf16.h> for clang without a CUDA Toolkit: the upper 16 bits of a float,
 * and pairs of them.
 *
 * sm_80 has one instruction for this arithmetic, fma: a + b is a * 1 + b, and a
 * * b is a * b + -0 (which keeps the sign of a zero).
 */
#ifndef LAB_CUDA_BF16_H
#define LAB_CUDA_BF16_H

#include "../lab_half.cuh"

LAB_FN float lab_bfloat16_to_float(unsigned short bits)
{
    return __uint_as_float((unsigned int)bits << 16);
}

LAB_HALF_TYPE(__nv_bfloat16, bfloat16, "bf16")
LAB_HALF3(__hfma, "fma.rn.bf16", __nv_bfloat16)
LAB_HALF2(__hmin, "min.bf16", __nv_bfloat16)
LAB_HALF2(__hmax, "max.bf16", __nv_bfloat16)
LAB_HALF1(__hneg, "neg.bf16", __nv_bfloat16)
LAB_HALF1(__habs, "abs.bf16", __nv_bfloat16)
LAB_FN __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __hfma(a, __ushort_as_bfloat16(0x3f80), b);
}
LAB_FN __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __hfma(b, __ushort_as_bfloat16(0xbf80), a);
}
LAB_FN __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __hfma(a, b, __ushort_as_bfloat16(0x8000));
}
LAB_HALF_REST(__nv_bfloat16)

LAB_HALF_PAIR(__nv_bfloat16, bfloat16, __nv_bfloat162, bfloat162)
LAB_PAIR3(__hfma2, "fma.rn.bf16x2", __nv_bfloat162)
LAB_PAIR2(__hmin2, "min.bf16x2", __nv_bfloat162)
LAB_PAIR2(__hmax2, "max.bf16x2", __nv_bfloat162)
LAB_FN __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __hfma2(a, __builtin_bit_cast(__nv_bfloat162, 0x3f803f80u), b);
}
LAB_FN __nv_bfloat162 __hmul2(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __hfma2(a, b, __builtin_bit_cast(__nv_bfloat162, 0x80008000u));
}

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#endif
