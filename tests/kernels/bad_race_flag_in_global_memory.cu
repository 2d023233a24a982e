// launch: n=1000 block=64
// launch: n=64 block=64 grid=3
__device__ float part[65536];
__device__ int flags[4096];

/* The warps of a block pass a message by a flag in global memory: fences of
   the block's scope would be enough, but one is missing. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int tid = threadIdx.x;
    float *mine = part + blockIdx.x * 2;
    volatile int *flag = flags + blockIdx.x;
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + tid; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += in[i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (tid == 32) {
        mine[1] = sum;
        *flag = 1;
    }
    if (tid == 0) {
        while (*flag == 0) {
        }
        __threadfence_block();
        atomicAdd(out, sum + mine[1]); // expect: race
        *flag = 0;
    }
}
