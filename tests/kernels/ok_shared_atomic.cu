// expect: ok
/* Eight words of shared memory take the block's elements by atomics; the lane
   decides which. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float bin[8];
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x < 8)
        bin[threadIdx.x] = 0.0f;
    __syncthreads();
    if (i < n)
        atomicAdd(&bin[threadIdx.x % 8], in[i]);
    __syncthreads();
    if (threadIdx.x < 8)
        atomicAdd(out, bin[threadIdx.x]);
}
