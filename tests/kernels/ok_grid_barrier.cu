// expect: ok
// launch: block=64 grid=4
// launch: block=256 grid=2
/* All blocks meet in the middle of the kernel: the last to arrive starts a new
 * generation, the others spin on its number. Needs all blocks to be on the GPU
 * at once. */
__device__ float partial[64];
__device__ unsigned int arrived;
__device__ volatile unsigned int generation;

__device__ void grid_barrier()
{
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned int mine = generation;
        __threadfence();
        if (atomicAdd(&arrived, 1u) == gridDim.x - 1) {
            arrived = 0;
            __threadfence();
            generation = mine + 1;
        } else {
            while (generation == mine) {
            }
        }
        __threadfence();
    }
    __syncthreads();
}

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
    if (threadIdx.x == 0)
        partial[blockIdx.x] = total;
    grid_barrier();
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
        float sum = 0.0f;
        for (unsigned int b = 0; b < gridDim.x; b++)
            sum += *(volatile float *)&partial[b];
        *out = sum;
    }
    grid_barrier();
}
