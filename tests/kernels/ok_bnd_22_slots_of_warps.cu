// expect: ok
// launch: n=1000 block=64
// launch: n=1000 block=32
/* Slots that nobody wrote are read and thrown away: there are as many of them
   as lanes, not more than threads. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float w[32];
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (lane == 0)
        w[warp] = sum;
    __syncthreads();
    float slot = w[lane];
    sum = lane < blockDim.x / 32 ? slot : 0.0f;
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}
