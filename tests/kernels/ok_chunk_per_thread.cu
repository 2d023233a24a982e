// expect: ok
// launch: n=1000 block=32 grid=3
/* Each thread walks a piece of its own; doubles go through the shuffles. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t threads = (size_t)gridDim.x * blockDim.x,
           me = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    size_t from = n * me / threads, to = n * (me + 1) / threads;
    double x = 0;
    for (const float *p = in + from; p != in + to; ++p)
        x += *p;
    for (int d = 16; d; d >>= 1)
        x += __shfl_down_sync(0xffffffffu, x, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, (float)x);
}
