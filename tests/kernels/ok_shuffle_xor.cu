// expect: ok
/* A butterfly: in each round a lane and its partner, which differ in one bit of
   the lane number, swap and add. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    for (int bit = 1; bit < warpSize; bit *= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, bit);
    if (threadIdx.x % warpSize == 0)
        atomicAdd(out, sum);
}
