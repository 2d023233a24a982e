// launch: n=1000 block=64 grid=2
/* Right today: but n has 64 bits, and an int keeps 31 of them. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    int count = (int)n;
    int step = (int)(gridDim.x * blockDim.x);
    float sum = 0.0f;

    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
         i < count; // expect: suspicious
         i += step)
        sum += in[i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
