/* The largest and the smallest element in whole thousandths: one instruction a
 * warp, integer atomics on two shared words, then on two global ones. */
__device__ int largest, smallest;

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ int top, bottom;
    int most = -1000000, least = 1000000;
    if (threadIdx.x == 0) {
        top = most;
        bottom = least;
    }
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        int x = (int)(in[i] * 1000.0f);
        most = max(most, x);
        least = min(least, x);
    }
    most = __reduce_max_sync(0xffffffffu, most);
    least = __reduce_min_sync(0xffffffffu, least);
    if (threadIdx.x % 32 == 0) {
        atomicMax(&top, most);
        atomicMin(&bottom, least);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicMax(&largest, top);
        atomicMin(&smallest, bottom);
        atomicAdd(out, (float)(top - bottom));
    }
}
