/* A histogram of 61 bins in shared memory, whole numbers; then the bins'
 * total.  Lanes of a warp meet in bins. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ unsigned int bins[61];
    size_t stride = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned int b = threadIdx.x; b < 61; b += blockDim.x)
        bins[b] = 0;
    __syncthreads();
    for (; i < n; i += stride)
        atomicAdd(&bins[(unsigned int)(i * i % 61)], in[i] > 0.0f ? 1u : 2u);
    __syncthreads();
    for (unsigned int b = threadIdx.x; b < 61; b += blockDim.x)
        atomicAdd(out, (float)bins[b]);
}
