// launch: n=1000 block=64 grid=4
// launch-ok: n=1024 block=64 grid=4
/* A thread sums four elements of its own array, also where it loaded fewer. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float mine[4];
    float sum = 0.0f;
    int count = 0;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
         i < n && count < 4; i += (size_t)gridDim.x * blockDim.x)
        mine[count++] = in[i];
    for (int k = 0; k < 4; k++)
        sum += mine[(k + (int)threadIdx.x) % 4]; // expect: uninitialized
    atomicAdd(out, sum);                         // may: uninitialized
}
