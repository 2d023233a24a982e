// launch: n=2 block=32 grid=1
// launch: n=2 block=256 grid=9
/* n - 3 wraps when n is 2: a loop that would read all of memory.  It is stopped
   long before, and the line is told. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float sum = 0.0f;
    for (size_t i = threadIdx.x; i < n - 3; i += blockDim.x)
        sum += in[i] + in[i + 1] + in[i + 2]; // expect: out-of-bounds
    atomicAdd(out, sum);
}
