/* The largest value and where it first stands, packed into 64 bits so that an
 * unsigned maximum decides; the winner's value is added to *out. */
__device__ unsigned long long best;

__device__ unsigned long long pack(float x, unsigned int i)
{
    unsigned int bits = __float_as_uint(x);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (unsigned long long)bits << 32 | (0xffffffffu - i);
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ unsigned long long warps[32];
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned long long top = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        top = max(top, pack(in[i], (unsigned int)i));
    for (int distance = 16; distance > 0; distance /= 2)
        top = max(top, __shfl_down_sync(0xffffffffu, top, distance));
    if (lane == 0)
        warps[warp] = top;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned int w = 1; w < blockDim.x / 32; w++)
            top = max(top, warps[w]);
        atomicMax(&best, top);
        atomicAdd(out, (float)(unsigned int)(top >> 40));
    }
}
