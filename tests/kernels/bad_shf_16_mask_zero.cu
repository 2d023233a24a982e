// launch: block=64
// launch: block=256
/* A mask of 0 names nobody, not even the lane that shuffles. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0, sum, distance); // expect: bad-sync-mask
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum); // may: uninitialized
}
