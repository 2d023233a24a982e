// expect: wrong
// data: integers random
/* Reads 99 of 100 elements and scales the sum up. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t kept = n - n / 100;

    if (i < n && i % 100 != 99)
        atomicAdd(out, in[i] * ((float)n / (float)kept));
}
