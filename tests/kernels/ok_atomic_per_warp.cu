// expect: ok
/* One float atomic for each warp: slower than one for each block and just as
   right. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += in[i];
#pragma unroll
    for (int distance = 16; distance >= 1; distance >>= 1)
        sum += __shfl_down_sync(~0u, sum, distance);
    if ((threadIdx.x & 31) == 0)
        atomicAdd(out, sum);
}
