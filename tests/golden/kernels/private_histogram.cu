/* A histogram of eight bins with counts of each thread's own in shared memory,
 * so without atomics; then a warp sums a bin. */
#define BINS 8
__device__ unsigned int histogram[BINS];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ unsigned int counts[BINS][512];
    unsigned int tid = threadIdx.x, lane = tid % 32;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (int bin = 0; bin < BINS; bin++)
        counts[bin][tid] = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + tid; i < n; i += stride) {
        int bin = (int)((in[i] + 1.0f) * (BINS / 2));
        counts[min(max(bin, 0), BINS - 1)][tid]++;
    }
    __syncthreads();
    for (unsigned int bin = tid / 32; bin < BINS; bin += blockDim.x / 32) {
        unsigned int sum = 0;
        for (unsigned int k = lane; k < blockDim.x; k += 32)
            sum += counts[bin][k];
        for (int distance = 16; distance > 0; distance /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, distance);
        if (lane == 0) {
            atomicAdd(&histogram[bin], sum);
            if (bin == 0)
                atomicAdd(out, (float)sum);
        }
    }
}
