// expect: ok
// launch: block=256
// launch: block=64 grid=3
/* A block-reduce helper with a barrier on entry and none on exit: the entry of
 * the second call protects the scratch array that the first still reads. */
__device__ float block_sum(float x)
{
    __shared__ float scratch[32];
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, distance);
    __syncthreads();
    if (lane == 0)
        scratch[warp] = x;
    __syncthreads();
    x = lane < blockDim.x / 32 ? scratch[lane] : 0.0f;
    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, distance);
    return x;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float even = 0.0f, odd = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        if (i % 2 == 0)
            even += in[i];
        else
            odd += in[i];
    }
    even = block_sum(even);
    odd = block_sum(odd);
    if (threadIdx.x == 0)
        atomicAdd(out, even + odd);
}
