// launch: block=64
// launch: block=256
// launch-ok: n=1008 block=16
/* A mask for 16 lanes in a shuffle of 32. The machine code and the result
   are often the same, so only reading the mask shows it. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    for (int bit = 8; bit > 0; bit /= 2)
        sum += __shfl_xor_sync(0x0000ffffu, sum, bit); // expect: bad-sync-mask
    if (threadIdx.x % 16 == 0)
        atomicAdd(out, sum); // may: uninitialized
}
