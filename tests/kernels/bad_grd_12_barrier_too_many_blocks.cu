// launch: n=1000 block=1024 grid=600 budget=20000000
// launch-ok: n=500 block=64 grid=8
/* All blocks wait for each other, and more blocks than the GPU holds at
   once: those that wait leave no room for those that are to come. */
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
            while (generation == mine) { // expect: no-progress
            }
        }
        __threadfence();
    }
    __syncthreads();
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < 4096)
        buf[i] = i < n ? in[i] : 0.0f;
    grid_barrier();
    if (i == 0) {
        float sum = 0.0f;
        for (size_t j = 0; j < n; j++)
            sum += buf[j];
        *out = sum;
    }
}
