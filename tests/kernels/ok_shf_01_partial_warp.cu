// expect: ok
// launch: n=110 block=11 grid=10
// launch: n=33 block=33 grid=1
// launch: n=17 block=17 grid=1
// launch: block=64
/* What comes from a lane that does not exist is not added. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int lane = threadIdx.x % 32, first = threadIdx.x - lane;
    unsigned int lanes = min(blockDim.x - first, 32u);
    unsigned int mask = lanes < 32 ? (1u << lanes) - 1 : 0xffffffffu;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    for (unsigned int d = 16; d > 0; d /= 2) {
        float other = __shfl_down_sync(mask, sum, d);
        if (lane + d < lanes)
            sum += other;
    }
    if (lane == 0)
        atomicAdd(out, sum);
}
