// expect: ok
// launch: n=900 block=180 grid=5
// launch: n=100 block=100 grid=1
// launch: n=33 block=33 grid=1
// launch: block=192
/* The number of warps rounded up: the last, shorter one counts, too. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float w[32];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    if (tid < 32)
        w[tid] = 0.0f;
    if (tid == 0)
        for (unsigned int k = blockDim.x; k < 32; k++)
            w[k] = 0.0f;
    __syncthreads();
    if (i < n)
        atomicAdd(&w[tid / 32], in[i]);
    __syncthreads();
    if (tid < (blockDim.x + 31) / 32)
        atomicAdd(out, w[tid]);
}
