// expect: ok
// launch: block=64
// launch: block=1024
/* The helper without that barrier, called once: nobody writes the array
   again. */
__device__ float block_sum(float x)
{
    __shared__ float w[32];
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, distance);
    if (lane == 0)
        w[warp] = x;
    __syncthreads();
    x = lane < blockDim.x / 32 ? w[lane] : 0.0f;
    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, distance);
    return x;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? in[i] : 0.0f;
    float sum = block_sum(x);

    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}
