// expect: ok
// launch: n=3000 block=32 grid=3
/* Each thread adds up its stretch by halves, by recursion. The depth differs
   from lane to lane. */
__device__ __noinline__ float halves(const float *in, size_t count)
{
    if (count == 0)
        return 0.0f;
    if (count == 1)
        return in[0];
    return halves(in, count / 2) + halves(in + count / 2, count - count / 2);
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t begin = n * t / threads, end = n * (t + 1) / threads;

    atomicAdd(out, halves(in + begin, end - begin));
}
