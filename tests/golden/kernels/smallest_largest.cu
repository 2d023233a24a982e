/* The smallest and the largest of each block, side by side in shared memory,
 * stored by the block: no atomics. */
__device__ float2 found[1 << 16];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float2 s[1024];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x * 2 + tid;
    float a = i < n ? in[i] : in[0];
    float b = i + blockDim.x < n ? in[i + blockDim.x] : a;
    s[tid] = make_float2(fminf(a, b), fmaxf(a, b));
    for (unsigned int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (tid < half)
            s[tid] = make_float2(fminf(s[tid].x, s[tid + half].x),
                                 fmaxf(s[tid].y, s[tid + half].y));
    }
    if (tid == 0) {
        found[blockIdx.x] = s[0];
        if (blockIdx.x == 0)
            *out = s[0].x;
    }
}
