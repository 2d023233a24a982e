/* Sum and sum of squares in double, side by side in 16 bytes of shared memory;
 * the block's size need not be a power of two. */
__device__ double moments[2];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ double2 part[1024];
    unsigned int tid = threadIdx.x;
    double2 mine = {0.0, 0.0};
    for (size_t i = (size_t)blockIdx.x * blockDim.x + tid; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        double x = in[i];
        mine.x += x;
        mine.y = fma(x, x, mine.y);
    }
    part[tid] = mine;
    __syncthreads();
    for (unsigned int left = blockDim.x; left > 1;) {
        unsigned int half = (left + 1) / 2;
        if (tid < left - half) {
            part[tid].x += part[tid + half].x;
            part[tid].y += part[tid + half].y;
        }
        left = half;
        __syncthreads();
    }
    if (tid == 0) {
        atomicAdd(&moments[0], part[0].x);
        atomicAdd(&moments[1], part[0].y);
        atomicAdd(out, (float)part[0].y);
    }
}
