// expect: wrong
// launch: n=65536 block=32 grid=1
// launch-ok: n=2048 block=32 grid=1
// data: ones
#include <cuda_fp16.h>

/* A 16-bit accumulator adding ones stops at 2048. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __half sum = __float2half(0.0f);

    if (threadIdx.x == 0) {
        for (size_t i = 0; i < n; i++)
            sum = __hadd(sum, __float2half(in[i]));
        *out = __half2float(sum);
    }
}
