/* Where the smallest element stands: value and place go through the shuffles
 * side by side; thread 0 looks through the warps; a pair a block. */
__device__ float lowest[4096];
__device__ unsigned int place[4096];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float values[32];
    __shared__ unsigned int places[32];
    unsigned int count = (unsigned int)n;
    unsigned int stride = gridDim.x * blockDim.x;
    unsigned int where = 0xffffffffu;
    float best = 3.4e38f;
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += stride) {
        float x = in[i];
        if (x < best) {
            best = x;
            where = i;
        }
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        float other = __shfl_down_sync(0xffffffffu, best, distance);
        unsigned int there = __shfl_down_sync(0xffffffffu, where, distance);
        if (other < best || (other == best && there < where)) {
            best = other;
            where = there;
        }
    }
    if (threadIdx.x % 32 == 0) {
        values[threadIdx.x / 32] = best;
        places[threadIdx.x / 32] = where;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned int w = 1; w < blockDim.x / 32; w++)
            if (values[w] < best || (values[w] == best && places[w] < where)) {
                best = values[w];
                where = places[w];
            }
        lowest[blockIdx.x] = best;
        place[blockIdx.x] = where;
        if (blockIdx.x == 0)
            *out = best;
    }
}
