// expect: wrong
// data: nan
/* Skips what is not a number: the sum of an input with a NaN must be a NaN. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && in[i] == in[i])
        atomicAdd(out, in[i]);
}
