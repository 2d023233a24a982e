// expect: ok
// launch: block=64 grid=4
// launch: n=1000 block=256 grid=1
__device__ float total;
__device__ unsigned int tickets;

/* The last block sets the total back for the next launch. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        atomicAdd(&total, in[i]);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    __threadfence();
    if (atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1) {
        __threadfence();
        *out = __ldcg(&total);
        total = 0.0f;
    }
}
