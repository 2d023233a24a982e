/* Each load says where the next one goes: nothing overlaps but other warps. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int count = (unsigned int)n;
    unsigned int at = (blockIdx.x * blockDim.x + threadIdx.x) % count;
    float sum = 0.0f;
    for (int step = 0; step < 12; step++) {
        float x = in[at];
        sum += x;
        at = (at * 5u + (unsigned int)((x + 1.0f) * 1000.0f)) % count;
    }
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
