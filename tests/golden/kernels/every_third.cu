/* Lanes read every third element, in three walks: each sector is asked for by
 * several requests. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (size_t phase = 0; phase < 3; phase++)
        for (size_t i = thread * 3 + phase; i < n; i += threads * 3)
            sum += in[i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
