// launch: block=64
// launch: block=256
// launch-ok: block=1024
/* A full mask in a branch that only a few lanes take; the others wait at the
   barrier behind it. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float w[32];
    unsigned int tid = threadIdx.x, warps = (blockDim.x + 31) / 32;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    float sum = i < n ? in[i] : 0.0f;

    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (tid % 32 == 0)
        w[tid / 32] = sum;
    __syncthreads();
    if (tid < warps) {
        sum = w[tid];
        for (unsigned int d = 16; d > 0; d /= 2)
            sum +=
                __shfl_down_sync(0xffffffffu, sum, d); // expect: bad-sync-mask
        if (tid == 0)
            atomicAdd(out, sum); // may: uninitialized
    }
    __syncthreads(); // may: no-progress barrier-divergence
}
