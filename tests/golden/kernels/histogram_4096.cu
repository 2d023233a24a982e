/* A histogram of 4096 bins in global memory: each element is an atomic. */
__device__ unsigned int bins[4096];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        *out = in[0];
    for (; i < n; i += stride)
        atomicAdd(&bins[(unsigned int)((in[i] + 1.0f) * 2047.9f)], 1u);
}
