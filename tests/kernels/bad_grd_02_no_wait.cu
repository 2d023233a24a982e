// launch: n=2000 block=64 grid=4
/* Each block raises a flag behind its sum, and nobody looks at the flags. */
__device__ float slot[64];
__device__ int flag[64];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s;
    if (!threadIdx.x)
        s = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        atomicAdd(&s, in[i]);
    __syncthreads();
    if (threadIdx.x)
        return;
    slot[blockIdx.x] = s; // may: race
    __threadfence();
    atomicExch(&flag[blockIdx.x], 1);
    if (blockIdx.x == 0) {
        float x = 0;
        for (unsigned int b = 0; b < gridDim.x; b++)
            x += slot[b]; // expect: race
        *out = x;
    }
}
