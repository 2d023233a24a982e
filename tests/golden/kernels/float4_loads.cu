/* 16-byte loads: four elements a thread and a trip. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (size_t k = i; k < n / 4; k += stride) {
        float4 v = ((const float4 *)in)[k];
        sum += (v.x + v.y) + (v.z + v.w);
    }
    for (size_t k = n / 4 * 4 + i; k < n; k += stride)
        sum += in[k];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
