/* Sums of 16 neighbours by shuffles of half a warp, then a tree over the
 * segments in shared memory: one element a thread. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float segment[64];
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? in[i] : 0.0f;
    for (int distance = 8; distance > 0; distance /= 2)
        x += __shfl_down_sync(0xffffffffu, x, distance, 16);
    if (threadIdx.x % 16 == 0)
        segment[threadIdx.x / 16] = x;
    if (threadIdx.x < 64 && threadIdx.x >= blockDim.x / 16)
        segment[threadIdx.x] = 0.0f;
    __syncthreads();
    for (unsigned int stride = 32; stride > 0; stride /= 2) {
        if (threadIdx.x < stride)
            segment[threadIdx.x] += segment[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(out, segment[0]);
}
