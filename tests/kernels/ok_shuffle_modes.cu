// expect: ok
/* A running sum with shfl.up inside groups of 8, the groups' totals by
   shfl.idx, a double and a 64-bit shuffle. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int lane = threadIdx.x % 32, in_group = lane % 8;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    for (unsigned int distance = 1; distance < 8; distance *= 2) {
        float before = __shfl_up_sync(0xffffffffu, sum, distance, 8);
        if (in_group >= distance)
            sum += before;
    }
    /* Lane 7 of each group now holds the group's sum. */
    double total = 0.0;
    for (int group = 0; group < 4; group++)
        total += __shfl_sync(0xffffffffu, (double)sum, group * 8 + 7);
    long long bits =
        __shfl_down_sync(0xffffffffu, __double_as_longlong(total), 4, 8);
    /* Each group of 4 reads its first lane. */
    float first = __shfl_sync(0xffffffffu, (float)lane, 0, 4);
    if (lane == 0 && bits == __double_as_longlong(total) && first == 0.0f)
        atomicAdd(out, (float)total);
}
