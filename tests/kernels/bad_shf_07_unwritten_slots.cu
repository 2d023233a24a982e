// launch: block=256
// launch: block=32
// launch-ok: block=1024
/* The first warp reads a slot for each of its lanes, but there are fewer
   warps than that: words nobody wrote are added. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float w[32];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    float sum = i < n ? in[i] : 0.0f;

    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (tid % 32 == 0)
        w[tid / 32] = sum;
    __syncthreads();
    if (tid < 32) {
        sum = w[tid]; // expect: uninitialized
        for (unsigned int d = 16; d > 0; d /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, d);
        if (tid == 0)
            atomicAdd(out, sum); // may: uninitialized
    }
}
