// launch: block=32
// launch: block=128
/* A shuffle brings the lanes together but does not order their shared words. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float w[64];
    volatile float *mine = w + threadIdx.x / 32 * 2;
    unsigned int lane = threadIdx.x % 32;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    for (int distance = 8; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance, 16);
    if (lane % 16 == 0)
        mine[lane / 16] = sum;
    int who = __shfl_sync(0xffffffffu, (int)lane, 16);
    if (lane == 0)
        atomicAdd(out, sum + mine[who / 16]); // expect: race
}
