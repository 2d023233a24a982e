// expect: wrong
// launch: block=128 grid=8
/* The ticket counter is never put back: right in the first launch, nobody is
   last in the second. */
__device__ float partial[64];
__device__ unsigned int tickets;

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float total;

    if (threadIdx.x == 0)
        total = 0.0f;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        atomicAdd(&total, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = total;
        __threadfence();
        if (atomicAdd(&tickets, 1u) == gridDim.x - 1) {
            float sum = 0.0f;
            __threadfence();
            for (unsigned int b = 0; b < gridDim.x; b++)
                sum += *(volatile float *)&partial[b];
            *out = sum;
        }
    }
}
