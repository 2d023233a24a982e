// expect: ok
// data: random integers negative
/* Groups of 16 begin at distance 8; the two sums of a warp go out apart. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    for (int distance = 8; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance, 16);
    if (threadIdx.x % 16 == 0)
        atomicAdd(out, sum);
}
