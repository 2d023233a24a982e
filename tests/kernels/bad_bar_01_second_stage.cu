// launch: block=64
// launch: block=256
// launch-ok: block=32
/* The first warp folds the warps' sums with barriers that the other warps,
   waiting at the next one, do not reach. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float w[32];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    float sum = i < n ? in[i] : 0.0f;

    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (tid < 32)
        w[tid] = 0.0f;
    __syncthreads();
    if (tid % 32 == 0)
        w[tid / 32] = sum;
    __syncthreads();
    if (tid < 32) {
        for (unsigned int d = 16; d > 0; d /= 2) {
            if (tid < d)
                w[tid] += w[tid + d]; // may: race
            __syncthreads();          // expect: barrier-divergence
        }
    }
    __syncthreads(); // may: barrier-divergence no-progress
    if (tid == 0)
        atomicAdd(out, w[0]);
}
