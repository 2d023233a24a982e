// expect: ok
// launch: n=256 block=64 grid=4
// launch: n=64 block=32 grid=2
/* The pass reads one array and writes another. */
__device__ float buf[4096], next[64];
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
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    buf[i] = i < n ? in[i] : 0.0f;
    grid_barrier();
    s[tid] = buf[i];
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        next[blockIdx.x] = s[0];
    grid_barrier();
    if (i == 0) {
        float sum = 0.0f;
        for (unsigned int b = 0; b < gridDim.x; b++)
            sum += next[b];
        *out = sum;
    }
    grid_barrier();
}
