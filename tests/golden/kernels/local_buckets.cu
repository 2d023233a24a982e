/* Sixty-four words of a thread's own, reached by what was read: too many for
 * registers, so they lie in local memory. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float bucket[64];
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (int b = 0; b < 64; b++)
        bucket[b] = 0.0f;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        float x = in[i];
        bucket[(unsigned int)((x + 1.0f) * 1000.0f) % 64] += x;
    }
    float sum = 0.0f;
    for (int b = 0; b < 64; b++)
        sum += bucket[b] * (float)b;
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
