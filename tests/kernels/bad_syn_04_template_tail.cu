// launch: block=64
// launch: block=128
// launch: block=512
/* The block size is a template argument, and the last warp relies on volatile
   alone. Four copies of the tail are one in the end: the lines stay. */
template <unsigned int B>
__device__ void tail(volatile float *s, unsigned int t)
{
    if (B >= 64)
        s[t] += s[t + 32]; // may: race
    if (B >= 32)
        s[t] += s[t + 16]; // expect: race
    if (B >= 16)
        s[t] += s[t + 8]; // expect: race
    if (B >= 8)
        s[t] += s[t + 4]; // expect: race
    if (B >= 4)
        s[t] += s[t + 2]; // expect: race
    if (B >= 2)
        s[t] += s[t + 1]; // expect: race
}
template <unsigned int B> __device__ void block(float *s, unsigned int t)
{
    if (B >= 512) {
        if (t < 256)
            s[t] += s[t + 256];
        __syncthreads();
    }
    if (B >= 256) {
        if (t < 128)
            s[t] += s[t + 128];
        __syncthreads();
    }
    if (B >= 128) {
        if (t < 64)
            s[t] += s[t + 64];
        __syncthreads();
    }
    if (t < 32)
        tail<B>(s, t);
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int t = threadIdx.x;
    size_t i = blockIdx.x * (size_t)blockDim.x + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    switch (blockDim.x) {
    case 512: block<512>(s, t); break;
    case 256: block<256>(s, t); break;
    case 128: block<128>(s, t); break;
    case 64: block<64>(s, t); break;
    }
    if (t == 0)
        atomicAdd(out, s[0]);
}
