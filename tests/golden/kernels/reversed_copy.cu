/* The last becomes the first: a load and a store an element, lanes in the
 * other order. */
__device__ float turned[4 << 20];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        turned[n - 1 - i] = in[i];
    if (i == 0)
        *out = in[n - 1];
}
