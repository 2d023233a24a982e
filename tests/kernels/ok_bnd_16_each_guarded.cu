// expect: ok
// launch: n=2648 block=256 grid=3
// launch: n=100 block=32 grid=1
// launch: n=4096 block=256 grid=4
/* Four loads, each with its guard. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x * 4 + threadIdx.x;
    size_t b = blockDim.x;
    float sum = i < n ? in[i] : 0.0f;

    for (int k = 1; k < 4; k++)
        if (i + k * b < n)
            sum += in[i + k * b];
    atomicAdd(out, sum);
}
