// launch: block=64
// launch: block=1024
// launch-ok: block=32
/* Two warps share a slot: the index of the slot is rounded down once more. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float w[32];
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (lane == 0)
        w[warp / 2] = sum; // expect: race
    __syncthreads();
    if (threadIdx.x < (blockDim.x / 32 + 1) / 2)
        atomicAdd(out, w[threadIdx.x]);
}
