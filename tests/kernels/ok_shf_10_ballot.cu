// expect: ok
// launch: block=64
// launch: block=256
/* The mask is taken by a vote of the whole warp before the branch; lanes
   outside it bring nothing. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int lane = threadIdx.x % 32;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int mask = __ballot_sync(0xffffffffu, i < n && in[i] > 0.0f);

    if (i < n && in[i] > 0.0f) {
        float sum = 0.0f;
        for (unsigned int left = mask; left != 0; left &= left - 1)
            sum += __shfl_sync(mask, in[i], __ffs(left) - 1);
        if (lane == (unsigned int)__ffs(mask) - 1)
            atomicAdd(out, sum);
    } else if (i < n) {
        atomicAdd(out, in[i]);
    }
}
