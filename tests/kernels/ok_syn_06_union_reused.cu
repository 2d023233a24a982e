// expect: ok
// launch: block=64
/* A union of two uses of one scratch memory, a barrier between the uses. */
union scratch {
    float f[64];
    double d[32];
};

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ scratch u;
    unsigned int t = threadIdx.x;
    size_t i = blockIdx.x * (size_t)blockDim.x + t;
    u.f[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    double x = t < 32 ? (double)u.f[t] + u.f[t + 32] : 0.0;
    __syncthreads();
    if (t < 32)
        u.d[t] = x;
    __syncthreads();
    for (unsigned int d = 16; d; d /= 2) {
        if (t < d)
            u.d[t] += u.d[t + d];
        __syncthreads();
    }
    if (!t)
        atomicAdd(out, (float)u.d[0]);
}
