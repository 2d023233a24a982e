// launch: n=2000 block=64 grid=2
// launch-ok: n=512 block=64 grid=2
/* A thread's own array has room for four elements, and there are more. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float mine[4];
    float sum = 0.0f;
    int count = 0;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        mine[count++] = in[i]; // expect: out-of-bounds
    for (int k = 0; k < count; k++)
        sum += mine[k];  // may: out-of-bounds
    atomicAdd(out, sum); // may: uninitialized
}
