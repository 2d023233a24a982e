// expect: ok
// launch: block=64
// launch: n=1000 block=256
__device__ float part[65536];

/* A barrier orders the global memory of a block as well. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int lane = threadIdx.x % 32, warps = (blockDim.x + 31) / 32;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *mine = part + blockIdx.x * warps;
    float sum = i < n ? in[i] : 0.0f;

    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (lane == 0)
        mine[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0.0f;
        for (unsigned int w = 0; w < warps; w++)
            sum += mine[w];
        atomicAdd(out, sum);
    }
}
