// launch: block=64 grid=8
// launch: n=1000 block=128 grid=1
// launch-ok: n=1000 block=32 grid=4
__device__ float part[4096];
__device__ unsigned int tickets;

/* Every warp leaves a sum, but the thread that fences and takes the ticket
   does not wait for the other warps of its block. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int lane = threadIdx.x % 32, warps = blockDim.x / 32;
    unsigned int warp = blockIdx.x * warps + threadIdx.x / 32;
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += in[i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (lane == 0)
        part[warp] = sum;
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(&tickets, 1u) == gridDim.x - 1) {
            __threadfence();
            sum = 0.0f;
            for (unsigned int w = 0; w < gridDim.x * warps; w++)
                sum += part[w]; // expect: race
            *out = sum;
            tickets = 0;
        }
    }
}
