// launch: n=1000 block=64
/* Right today: but an unsigned product of block and size begins again at 0 from
   2^32 elements on, and n allows for more. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    float sum = 0.0f;

    if (i < n) // expect: suspicious
        sum += in[i];
    if (i + blockDim.x < n) // expect: suspicious
        sum += in[i + blockDim.x];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
