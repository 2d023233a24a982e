// launch: block=64
// launch: block=256
/* Lanes at one shuffle name masks that do not agree about who takes part. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int mask = threadIdx.x % 32 < 16 ? 0x0000ffffu : 0xffffffffu;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    for (int bit = 8; bit > 0; bit /= 2)
        sum += __shfl_xor_sync(mask, sum, bit); // expect: bad-sync-mask
    if (threadIdx.x % 16 == 0)
        atomicAdd(out, sum); // may: uninitialized
}
