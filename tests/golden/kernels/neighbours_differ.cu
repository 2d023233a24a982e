/* Counts the places where the sign changes: a shuffle for the neighbour, a
 * vote, one lane counts. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ unsigned int counts[32];
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32, mine = 0;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i - lane < n;
         i += stride) {
        float x = i < n ? in[i] : 0.0f;
        float next = __shfl_down_sync(0xffffffffu, x, 1);
        if (lane == 31)
            next = i + 1 < n ? in[i + 1] : x;
        mine += __popc(__ballot_sync(0xffffffffu, x * next < 0.0f));
    }
    if (lane == 0)
        counts[warp] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned int w = 1; w < blockDim.x / 32; w++)
            mine += counts[w];
        atomicAdd(out, (float)mine);
    }
}
