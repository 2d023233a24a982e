/* Neighbouring lanes are 2, then 8, then 32 elements apart: a half, an eighth
 * of each sector is used, and a line a lane. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (size_t i = thread; i < n / 2; i += stride)
        sum += in[2 * i];
    for (size_t i = thread; i < n / 8; i += stride)
        sum -= in[8 * i];
    for (size_t i = thread; i < n / 32; i += stride)
        sum += 0.5f * in[32 * i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
