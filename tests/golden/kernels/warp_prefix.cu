/* Prefix sums inside each warp, written out; the warps' totals go through
 * shared memory to one atomic a block. */
__device__ float prefix[6000001];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float totals[32];
    unsigned int lane = threadIdx.x % 32;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? in[i] : 0.0f;
    for (unsigned int distance = 1; distance < 32; distance *= 2) {
        float left = __shfl_up_sync(0xffffffffu, x, distance);
        if (lane >= distance)
            x += left;
    }
    if (i < n)
        prefix[i] = x;
    if (lane == 31)
        totals[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (unsigned int w = 0; w < blockDim.x / 32; w++)
            sum += totals[w];
        atomicAdd(out, sum);
    }
}
