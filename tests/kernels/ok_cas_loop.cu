// expect: ok
/* Float addition out of compare-and-swap, in shared memory as int and in global
 * memory as unsigned. The loop goes on while the swap failed; the bits are
 * compared, so that a NaN ends it too. */
__device__ float add_by_cas(float *p, float x)
{
    int *word = (int *)p;
    int old = *(volatile int *)word, seen;

    do {
        seen = old;
        old = atomicCAS(word, seen, __float_as_int(__int_as_float(seen) + x));
    } while (old != seen);
    return __int_as_float(old);
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float total;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0)
        total = 0.0f;
    __syncthreads();
    if (i < n)
        add_by_cas(&total, in[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        add_by_cas(out, total);
}
