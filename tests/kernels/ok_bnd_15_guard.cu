// expect: ok
// launch: n=1023 block=256
// launch: n=1000 block=64
// launch: n=1024 block=256
// launch: n=0 block=32 grid=2
/* A guard in other words, on an index counted from the end. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i + 1 <= n)
        atomicAdd(out, in[n - 1 - i]);
}
