// expect: ok
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/* f16 and bf16 instructions; a wrong one makes the element vanish. */
__device__ bool holds(float x)
{
    __half h = __float2half(x), one = __float2half(1.0f),
           two = __float2half(2.0f);
    __half2 pair = __floats2half2_rn(x, 2.0f);
    __nv_bfloat16 b = __float2bfloat16(3.0f);
    bool ok = __half2float(h) == x && __half2float(__hadd(h, h)) == 2.0f * x &&
              __half2float(__hmul(h, two)) == 2.0f * x;

    ok = ok && __half2float(__hfma(h, two, one)) == 2.0f * x + 1.0f &&
         __hlt(one, two) && __hge(h, h) && __heq(h, h);
    ok = ok && __half2float(__hsub(h, one)) == x - 1.0f &&
         __half2float(__hneg(h)) == -x && !__hisnan(h);
    ok = ok && __half2float(__float2half(65520.0f)) == INFINITY &&
         __half2float(__float2half(2049.0f)) == 2048.0f;
    ok = ok && __low2float(__hadd2(pair, pair)) == 2.0f * x &&
         __high2float(__hmul2(pair, pair)) == 4.0f;
    ok = ok && __high2float(__hfma2(pair, pair, pair)) == 6.0f &&
         __half2float(__shfl_xor_sync(1u << threadIdx.x % 32, two, 0)) == 2.0f;
    ok = ok && __bfloat162float(__hmul(b, b)) == 9.0f &&
         __bfloat162float(__hadd(b, b)) == 6.0f;
    ok = ok && __bfloat162float(__hfma(b, b, b)) == 12.0f &&
         __bfloat162float(__float2bfloat16(257.0f)) == 256.0f;
    return ok;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && holds((float)(i % 512)))
        atomicAdd(out, in[i]);
}
