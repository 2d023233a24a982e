// launch: block=64
// launch: block=1024
// launch-ok: block=32
/* Two sums in a row share the array of warp sums: a fast warp writes the
   second set while a slow one still reads the first. */
__device__ float block_sum(float x)
{
    __shared__ float w[32];
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, distance);
    if (lane == 0)
        w[warp] = x; // expect: race
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
    float more = block_sum(x > 0.0f ? x : 0.0f);
    float less = block_sum(x < 0.0f ? x : 0.0f);

    if (threadIdx.x == 0)
        atomicAdd(out, more + less);
}
