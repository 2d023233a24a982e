// expect: ok
// launch: block=64
// launch: block=256
// launch: block=1024
/* The same mask, from half the number of warps on. */
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
    unsigned int mask = __ballot_sync(0xffffffffu, tid < warps);
    if (tid < warps) {
        sum = w[tid];
        for (unsigned int d = warps / 2; d > 0; d /= 2)
            sum += __shfl_down_sync(mask, sum, d);
        if (tid == 0)
            atomicAdd(out, sum);
    }
}
