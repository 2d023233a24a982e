// launch: n=64 block=64 grid=1
// launch: n=256 block=64 grid=4
// launch-ok: n=2 block=2 grid=1
/* The same in global memory: each step changes what others read in it. */
__device__ float buf[4096];
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
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t end = (size_t)gridDim.x * blockDim.x;

    buf[i] = i < n ? in[i] : 0.0f;
    grid_barrier();
    for (size_t d = 1; d < end; d *= 2) {
        if (i + d < end)
            buf[i] += buf[i + d]; // expect: race
        grid_barrier();
    }
    if (i == 0)
        *out = buf[0];
    grid_barrier();
}
