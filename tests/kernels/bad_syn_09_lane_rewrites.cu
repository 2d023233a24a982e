// launch: block=32
// launch: block=128
/* Lane 0 rewrites its word while the other lanes still read it. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ volatile float w[32];
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (lane == 0)
        w[warp] = sum;
    __syncwarp();
    float all = w[warp];
    if (lane == 0)
        w[warp] = 0.0f; // expect: race
    if (lane == 31)
        atomicAdd(out, all);
}
