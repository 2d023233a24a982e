// launch: block=64
/* Two uses of one scratch memory, and no barrier between them. */
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
    double x = t < 32 ? (double)u.f[t] + u.f[t + 32] : 0.0; // may: race
    if (t < 32)
        u.d[t] = x; // expect: race
    __syncthreads();
    for (unsigned int d = 16; d; d /= 2) {
        if (t < d)
            u.d[t] += u.d[t + d];
        __syncthreads();
    }
    if (!t)
        atomicAdd(out, (float)u.d[0]);
}
