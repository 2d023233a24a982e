/* Sum of squares in double: conversions, wide registers, two shuffles a step,
 * a double atomic a block. */
__device__ double total;

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ double part[1024];
    double sum = 0.0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += (double)in[i] * (double)in[i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    part[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned int k = 32; k < blockDim.x; k += 32)
            sum += part[k];
        atomicAdd(&total, sum);
        atomicAdd(out, (float)sum);
    }
}
