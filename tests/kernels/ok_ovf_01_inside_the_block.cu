// expect: ok
// launch: n=1000 block=64 grid=20
/* 32 bits are enough for what is left of n for one block. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t base = (size_t)blockIdx.x * blockDim.x;
    size_t left = base < n ? n - base : 0;
    unsigned int count = left < blockDim.x ? (unsigned int)left : blockDim.x;
    float sum = threadIdx.x < count ? in[base + threadIdx.x] : 0.0f;

    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
