/* Compensated addition: each element waits for four dependent additions. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float sum = 0.0f, lost = 0.0f;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        float y = in[i] - lost;
        float t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
