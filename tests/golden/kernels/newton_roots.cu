/* Cube roots by eight steps of Newton: divisions in float. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    float sum = 0.0f;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        float a = fabsf(in[i]) + 0.5f, x = 1.0f;
        for (int step = 0; step < 8; step++)
            x = (2.0f * x + a / (x * x)) * (1.0f / 3.0f);
        sum += x;
    }
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
