// launch: n=256 block=64 grid=4
// launch: n=64 block=32 grid=2
// launch-ok: n=64 block=64 grid=1
/* A pass in place by several blocks: block b puts its sum where block 0 has
   an element still to read. */
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
        buf[blockIdx.x] = s[0]; // expect: race
    grid_barrier();
    if (i == 0) {
        float sum = 0.0f;
        for (unsigned int b = 0; b < gridDim.x; b++)
            sum += buf[b];
        *out = sum;
    }
    grid_barrier();
}
