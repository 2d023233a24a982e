// expect: ok
/* The source lane wraps round: lane + distance modulo 32. Every lane ends with
   the whole sum. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int lane = threadIdx.x % 32;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    for (unsigned int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_sync(0xffffffffu, sum, (int)((lane + distance) % 32));
    if (lane == 31)
        atomicAdd(out, sum);
}
