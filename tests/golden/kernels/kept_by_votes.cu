/* Elements above a quarter are kept, packed, in a piece of an array that is the
 * warp's own; one lane counts for its warp, by an atomic that answers. */
__device__ float kept[6 << 20];
__device__ unsigned int total;

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int lane = threadIdx.x % 32;
    size_t warp = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    size_t warps = (size_t)gridDim.x * blockDim.x / 32;
    size_t share = (n + warps * 32 - 1) / (warps * 32) * 32;
    size_t first = warp * share, next = first;
    unsigned int late = 0;
    for (size_t i = first + lane; i - lane < first + share; i += 32) {
        float x = i < n ? in[i] : 0.0f;
        unsigned int voters = __ballot_sync(0xffffffffu, x > 0.25f);
        if (lane == 0 && voters)
            late += atomicAdd(&total, __popc(voters)) > n / 4;
        if (x > 0.25f)
            kept[next + __popc(voters & ((1u << lane) - 1))] = x;
        next += __popc(voters);
    }
    if (late)
        atomicAdd(out, (float)late);
}
