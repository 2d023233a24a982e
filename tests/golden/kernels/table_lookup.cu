/* A table of 1024 weights in shared memory, picked by what was read: banks
 * meet at random. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float weight[1024];
    size_t stride = (size_t)gridDim.x * blockDim.x;
    float sum = 0.0f;
    for (unsigned int k = threadIdx.x; k < 1024; k += blockDim.x)
        weight[k] = 1.0f / (float)(k + 1);
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += stride)
        sum += weight[(unsigned int)((in[i] + 1.0f) * 511.0f)];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
