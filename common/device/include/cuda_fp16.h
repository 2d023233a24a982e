/* <cuda_fp16.h> for clang without a CUDA Toolkit: half (5 bits of exponent, 10
   of fraction) and half2. */
#ifndef LAB_CUDA_FP16_H
#define LAB_CUDA_FP16_H

#include "../lab_half.cuh"

LAB_FN float lab_half_to_float(unsigned short bits)
{
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
}

LAB_HALF_TYPE(__half, half, "f16")
LAB_HALF2(__hadd, "add.f16", __half)
LAB_HALF2(__hsub, "sub.f16", __half)
LAB_HALF2(__hmul, "mul.f16", __half)
LAB_HALF3(__hfma, "fma.rn.f16", __half)
LAB_HALF2(__hmin, "min.f16", __half)
LAB_HALF2(__hmax, "max.f16", __half)
LAB_HALF1(__hneg, "neg.f16", __half)
LAB_HALF1(__habs, "abs.f16", __half)
LAB_HALF_REST(__half)

LAB_HALF_PAIR(__half, half, __half2, half2)
LAB_PAIR2(__hadd2, "add.f16x2", __half2)
LAB_PAIR2(__hsub2, "sub.f16x2", __half2)
LAB_PAIR2(__hmul2, "mul.f16x2", __half2)
LAB_PAIR2(__hmin2, "min.f16x2", __half2)
LAB_PAIR2(__hmax2, "max.f16x2", __half2)
LAB_PAIR3(__hfma2, "fma.rn.f16x2", __half2)

LAB_FN __half atomicAdd(__half *p, __half v)
{
    __half old;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
                 : "=h"(old.bits)
                 : "l"(p), "h"(v.bits)
                 : "memory");
    return old;
}
LAB_FN __half2 atomicAdd(__half2 *p, __half2 v)
{
    unsigned int old;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(p), "r"(lab_half2_bits(v))
                 : "memory");
    return __builtin_bit_cast(__half2, old);
}

typedef __half half;
typedef __half2 half2;

#endif
