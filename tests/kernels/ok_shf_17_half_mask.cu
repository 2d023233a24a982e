// expect: ok
// launch: block=64
// launch: block=256
/* Each half of the warp names itself. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int mask = threadIdx.x % 32 < 16 ? 0x0000ffffu : 0xffff0000u;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    for (int bit = 8; bit > 0; bit /= 2)
        sum += __shfl_xor_sync(mask, sum, bit);
    if (threadIdx.x % 16 == 0)
        atomicAdd(out, sum);
}
