// expect: ok
#include <assert.h>

/* Assertions that hold cost nothing but time. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    assert(blockDim.x <= 1024);
    if (i < n) {
        assert(i + 1 != 0);
        atomicAdd(out, in[i]);
    }
}
