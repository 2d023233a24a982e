// launch: block=256
// launch: n=1000 block=96 grid=2
/* The first look at the word may be a plain read, for the swap compares it.
   The last one is compared with nothing: the others still add. */
__device__ int negative;

__device__ float add(float *address, float x)
{
    int *word = (int *)address;
    int old = *word, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, __float_as_int(x + __int_as_float(seen)));
    } while (seen != old);
    return *address; // expect: race
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? in[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, d);
    if (threadIdx.x % 32 == 0 && add(out, x) < 0.0f)
        negative = 1;
}
