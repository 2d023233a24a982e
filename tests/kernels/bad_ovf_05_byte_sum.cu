// expect: wrong
// data: integers
// launch: n=1000 block=32 grid=1
/* The sum is kept in the small type of its elements. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    signed char sum = 0;

    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        sum = (signed char)(sum + (int)in[i]);
    atomicAdd(out, (float)sum);
}
