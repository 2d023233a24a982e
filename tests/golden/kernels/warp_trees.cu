/* Very small blocks: a warp's own tree in volatile shared memory, without a
 * barrier of the block; one element a thread. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[1024];
    volatile float *mine = s + threadIdx.x / 32 * 32;
    unsigned int lane = threadIdx.x % 32;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    mine[lane] = i < n ? in[i] : 0.0f;
    __syncwarp();
    for (unsigned int stride = 16; stride > 0; stride /= 2) {
        if (lane < stride)
            mine[lane] += mine[lane + stride];
        __syncwarp();
    }
    if (lane == 0)
        atomicAdd(out, mine[0]);
}
