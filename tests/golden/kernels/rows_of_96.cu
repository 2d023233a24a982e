/* A matrix with rows of 96: a warp sums a row, three loads on the way, and
 * adds it to one of 1024 words. */
__device__ float sums[1024];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int lane = threadIdx.x % 32;
    size_t rows = n / 96;
    size_t warps = (size_t)gridDim.x * (blockDim.x / 32);
    for (size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
         row < rows; row += warps) {
        const float *at = in + row * 96 + lane;
        float sum = at[0] + at[32] + at[64];
        for (int distance = 16; distance > 0; distance /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, distance);
        if (lane == 0)
            atomicAdd(&sums[row % 1024], sum);
    }
}
