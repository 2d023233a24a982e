// expect: ok
// launch: block=1024
// launch: block=96 grid=2
/* Shuffles in each warp, one static shared word a warp, and the first warp
   folds those. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float partial[32];
    const unsigned int lane = threadIdx.x & 31, warp = threadIdx.x >> 5,
                       warps = (blockDim.x + 31) >> 5;
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += in[i];
    for (int d = 16; d; d >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (!lane)
        partial[warp] = sum;
    __syncthreads();
    if (warp)
        return;
    sum = lane < warps ? partial[lane] : 0.0f;
    for (int d = 16; d; d >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (!lane)
        atomicAdd(out, sum);
}
