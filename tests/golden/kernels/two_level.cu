/* A warp folds by shuffles, a block by one shared word a warp, and the last
 * block to finish adds what the blocks have left. */
__device__ float parts[65536];
__device__ unsigned int finished;

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float warps[32];
    __shared__ bool is_last;
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    float sum = 0.0f;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += stride)
        sum += in[i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (lane == 0)
        warps[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0.0f;
        for (unsigned int w = 0; w < blockDim.x / 32; w++)
            total += warps[w];
        parts[blockIdx.x] = total;
        __threadfence();
        is_last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last) {
        float total = 0.0f;
        __threadfence();
        for (unsigned int b = threadIdx.x; b < gridDim.x; b += blockDim.x)
            total += ((volatile float *)parts)[b];
        for (int distance = 16; distance > 0; distance /= 2)
            total += __shfl_down_sync(0xffffffffu, total, distance);
        if (lane == 0)
            atomicAdd(out, total);
        if (threadIdx.x == 0)
            finished = 0;
    }
}
