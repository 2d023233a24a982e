// expect: wrong
// data: random integers negative
/* Offset 16 in groups of 16 gives a lane its own value back: the first half of
   each warp counts twice. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance, 16);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
