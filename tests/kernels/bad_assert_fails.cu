// launch: n=1000 block=64
// launch-ok: n=1024 block=64
#include <assert.h>

/* An assertion that holds for full blocks only. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    assert(i < n); // expect: trap
    if (i < n)
        atomicAdd(out, in[i]);
}
