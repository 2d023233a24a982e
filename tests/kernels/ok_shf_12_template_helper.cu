// expect: ok
// data: random negative
/* A helper for every type keeps the fraction. */
template <typename T> __device__ T from_right(T x, int distance)
{
    return __shfl_down_sync(0xffffffffu, x, distance);
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    for (int distance = 16; distance > 0; distance /= 2)
        sum += from_right(sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
