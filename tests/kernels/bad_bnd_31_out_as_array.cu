// launch: n=1000 block=64 grid=4
/* Each block adds to a word of its own, but *out is only one. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float x = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        x += in[i];
    for (int d = 16; d; d /= 2)
        x += __shfl_down_sync(0xffffffffu, x, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&out[blockIdx.x], x); // expect: out-of-bounds
}
