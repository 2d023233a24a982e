// launch: block=64
// launch: block=256
/* Neighbours set bits of one word with a plain load, or and store. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ unsigned int has[32];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    if (tid < 32)
        has[tid] = 0;
    __syncthreads();
    if (i < n)
        has[tid / 32] |= 1u << tid % 32; // expect: race
    __syncthreads();
    if (has[tid / 32] >> tid % 32 & 1)
        atomicAdd(out, in[i]);
}
