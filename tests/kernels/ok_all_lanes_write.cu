// expect: ok
// launch: block=32 grid=1
/* All lanes hold the same sum and all write it to the same word: harmless. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float sum = 0.0f;

    for (size_t i = threadIdx.x; i < n; i += 32)
        sum += in[i];
    for (int bit = 16; bit > 0; bit /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, bit);
    *out = sum;
}
