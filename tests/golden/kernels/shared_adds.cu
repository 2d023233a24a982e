/* float atomics on eight words of shared memory, then one word a block. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float part[8];
    size_t stride = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    if (threadIdx.x < 8)
        part[threadIdx.x] = 0.0f;
    __syncthreads();
    for (; i < n; i += stride)
        sum += in[i];
    atomicAdd(&part[threadIdx.x % 8], sum);
    __syncthreads();
    if (threadIdx.x < 8)
        atomicAdd(out, part[threadIdx.x]);
}
