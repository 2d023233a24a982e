// expect: ok
// launch: block=32 grid=8
// launch: n=1000 block=32 grid=2
__device__ float part[1024];
__device__ unsigned int tickets;

/* All lanes leave their sums; lane 0 waits for them, and its fence holds for
   what it has waited for. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ unsigned int ticket;
    unsigned int tid = threadIdx.x, all = gridDim.x * blockDim.x;
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + tid; i < n; i += all)
        sum += in[i];
    part[blockIdx.x * blockDim.x + tid] = sum;
    __syncwarp();
    if (tid == 0) {
        __threadfence();
        ticket = atomicAdd(&tickets, 1u);
        __threadfence();
    }
    __syncthreads();
    if (ticket == gridDim.x - 1 && tid == 0) {
        for (unsigned int k = 0; k < all; k++)
            *out += part[k];
        tickets = 0;
    }
}
