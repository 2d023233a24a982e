// expect: wrong
// launch: n=900 block=180 grid=5
// launch-ok: n=900 block=192 grid=5
/* blockDim.x / 32 rounds down: the sum of the last, shorter warp is written and
   never read. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float w[32];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    if (tid < 32)
        w[tid] = 0.0f;
    __syncthreads();
    if (i < n)
        atomicAdd(&w[tid / 32], in[i]);
    __syncthreads();
    if (tid < blockDim.x / 32)
        atomicAdd(out, w[tid]);
}
