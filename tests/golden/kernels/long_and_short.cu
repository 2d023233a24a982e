/* One warp of four has ten times the work. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int warp = threadIdx.x / 32;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? in[i] : 0.0f;
    int rounds = warp % 4 == 0 ? 200 : 20;
    for (int k = 0; k < rounds; k++)
        x = __sinf(x) + 0.001f;
    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_down_sync(0xffffffffu, x, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, x);
}
