/* Shrinks towards zero, in place of a copy, two neighbours a thread. */
__device__ float2 shrunk[2 << 20];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    const float2 *pairs = (const float2 *)in;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n / 2;
         i += stride) {
        float2 x = pairs[i];
        x.x = copysignf(fmaxf(fabsf(x.x) - 0.1f, 0.0f), x.x);
        x.y = copysignf(fmaxf(fabsf(x.y) - 0.1f, 0.0f), x.y);
        shrunk[i] = x;
        if (i == 0)
            *out = x.x;
    }
}
