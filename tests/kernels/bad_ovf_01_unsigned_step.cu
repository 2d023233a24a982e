// launch: n=1000 block=64 grid=2
/* Right today: but near 2^32 elements the step goes past the end of an unsigned
   int, and the loop does not end. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int step = gridDim.x * blockDim.x;
    float sum = 0.0f;

    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
         i < n; // expect: suspicious
         i += step)
        sum += in[i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
