// expect: wrong
// data: random integers
// launch: n=3001 block=64 grid=4
// launch: n=1000 block=32 grid=7
// launch: n=3 block=32 grid=4
// launch-ok: n=3000 block=64 grid=4
/* Every block takes n / gridDim.x elements, rounded down: the rest is for
   nobody. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t share = n / gridDim.x;
    size_t begin = blockIdx.x * share, end = min(begin + share, n);

    for (size_t i = begin + threadIdx.x; i < end; i += blockDim.x)
        atomicAdd(out, in[i]);
}
