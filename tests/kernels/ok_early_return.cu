// expect: ok
/* Threads without an element leave at once. No barrier and no full-mask shuffle
   follows, so nobody misses them. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    atomicAdd(out, in[i]);
}
