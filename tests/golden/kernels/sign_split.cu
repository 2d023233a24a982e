/* Elements above a quarter and roots of those below minus a quarter go to two
 * sums; a shared atomic a warp for each, two global words a block. */
__device__ float totals[2];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float sums[2];
    size_t stride = (size_t)gridDim.x * blockDim.x;
    float above = 0.0f, below = 0.0f;
    if (threadIdx.x < 2)
        sums[threadIdx.x] = 0.0f;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        float x = in[i];
        if (x > 0.25f)
            above += x;
        else if (x < -0.25f)
            below += sqrtf(-x);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        above += __shfl_down_sync(0xffffffffu, above, distance);
        below += __shfl_down_sync(0xffffffffu, below, distance);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&sums[0], above);
        atomicAdd(&sums[1], below);
    }
    __syncthreads();
    if (threadIdx.x < 2)
        atomicAdd(&totals[threadIdx.x], sums[threadIdx.x]);
    if (threadIdx.x == 0)
        atomicAdd(out, sums[0]);
}
