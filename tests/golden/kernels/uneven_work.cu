/* Lanes with different work: long branches that part, loops that end at
 * different trips, divisions. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    if (i < n) {
        float x = in[i];
        if (threadIdx.x % 3 == 0) {
            for (unsigned int k = 0; k < threadIdx.x % 32; k++)
                x = x * 0.999f + (float)(k % 5) / (x * x + 3.0f);
        } else {
            unsigned int bits = __float_as_uint(x);
            while (bits) {
                bits &= bits - 1;
                x += 0.001f;
            }
        }
        sum = x;
    }
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
