/* Sum of squares: a grid-stride loop unrolled eight times, butterflies, and one
 * partial sum a block for a second kernel. */
__device__ float partial[4096];

__device__ __forceinline__ float butterfly(float x)
{
#pragma unroll
    for (int mask = 1; mask < 32; mask *= 2)
        x += __shfl_xor_sync(0xffffffffu, x, mask);
    return x;
}

extern "C" __global__ void reduce(const float *__restrict__ in,
                                  float *__restrict__ out, size_t n)
{
    __shared__ float warps[32];
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    float sum = 0.0f;
#pragma unroll 8
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += stride)
        sum = fmaf(in[i], in[i], sum);
    sum = butterfly(sum);
    if (lane == 0)
        warps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = butterfly(lane < blockDim.x / 32 ? warps[lane] : 0.0f);
        if (lane == 0) {
            partial[blockIdx.x] = sum;
            if (blockIdx.x == 0)
                *out = sqrtf(sum);
        }
    }
}
