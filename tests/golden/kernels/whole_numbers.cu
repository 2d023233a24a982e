/* Elements rounded to whole numbers; the warp adds by one instruction, the
 * block in a tree whose strides go up. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ int part[32];
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sum = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += __float2int_rn(1000.0f * in[i]);
    sum = __reduce_add_sync(0xffffffffu, sum);
    if (threadIdx.x < 32)
        part[threadIdx.x] = 0;
    __syncthreads();
    if (lane == 0)
        part[warp] = sum;
    __syncthreads();
    for (unsigned int stride = 1; stride < 32; stride *= 2) {
        if (threadIdx.x < 32 && threadIdx.x % (2 * stride) == 0)
            part[threadIdx.x] += part[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(out, (float)part[0] * 0.001f);
}
