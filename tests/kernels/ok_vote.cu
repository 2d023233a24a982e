// expect: ok
/* Ballot, any and all decide how a warp goes on; a wrong vote loses the warp's
   part. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int lane = threadIdx.x % 32;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    bool has = i < n;
    float sum = has ? in[i] : 0.0f;
    unsigned int who = __ballot_sync(0xffffffffu, has);

    if (!__any_sync(0xffffffffu, has))
        return;
    if (__all_sync(0xffffffffu, has) != (who == 0xffffffffu))
        return;
    /* Lane by lane, in the order of the ballot. */
    float total = 0.0f;
    for (unsigned int left = who; left != 0; left &= left - 1)
        total += __shfl_sync(0xffffffffu, sum, __ffs(left) - 1);
    if (lane == (unsigned int)(31 - __clz(who)))
        atomicAdd(out, total);
}
