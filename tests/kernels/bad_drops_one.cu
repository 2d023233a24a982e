// expect: wrong
// data: integers random
/* One element in the middle is never added. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && i != n / 2)
        atomicAdd(out, in[i]);
}
