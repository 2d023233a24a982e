// expect: ok
// launch: block=32 grid=100
// launch: n=1000 block=64 grid=65
// launch: block=32 grid=32
__device__ float part[4096];
__device__ unsigned int tickets;

/* The last block adds the sums of all blocks. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float total;
    __shared__ bool is_last;
    unsigned int tid = threadIdx.x;

    if (tid == 0)
        total = 0.0f;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        atomicAdd(&total, in[i]);
    __syncthreads();
    if (tid == 0) {
        part[blockIdx.x] = total;
        __threadfence();
        is_last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
        total = 0.0f;
    }
    __syncthreads();
    if (!is_last)
        return;
    for (unsigned int b = tid; b < gridDim.x; b += blockDim.x)
        atomicAdd(&total, __ldcg(&part[b]));
    __syncthreads();
    if (tid == 0)
        *out = total;
}
