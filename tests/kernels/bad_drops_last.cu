// expect: wrong
/* Off by one: the last element is never added. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i + 1 < n)
        atomicAdd(out, in[i]);
}
