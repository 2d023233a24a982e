// expect: ok
/* Device functions that stay functions: one result, none, and a call out of
   divergent code. */
__device__ __noinline__ float load_or_zero(const float *in, size_t i, size_t n)
{
    return i < n ? in[i] : 0.0f;
}

__device__ __noinline__ void fold(float *s, unsigned int tid,
                                  unsigned int stride)
{
    s[tid] += s[tid + stride];
}

__device__ __noinline__ float warp_sum(float x)
{
    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_down_sync(0xffffffffu, x, distance);
    return x;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;

    s[tid] = load_or_zero(in, (size_t)blockIdx.x * blockDim.x + tid, n);
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride >= 32; stride /= 2) {
        if (tid < stride)
            fold(s, tid, stride);
        __syncthreads();
    }
    if (tid < 32) {
        float sum = warp_sum(s[tid]);
        if (tid == 0)
            atomicAdd(out, sum);
    }
}
