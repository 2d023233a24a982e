/* y = a * x + y: two loads and a store an element, nothing to add up. */
__device__ float y[5 << 20];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2.5f * in[i] + y[i];
    if (i == 0)
        *out = 2.5f * in[0];
}
