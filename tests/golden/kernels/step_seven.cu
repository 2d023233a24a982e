/* Every seventh element: a sector serves one or two lanes. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t stride = (size_t)gridDim.x * blockDim.x * 7;
    float sum = 0.0f;
    for (size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 7; i < n;
         i += stride)
        sum += in[i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
