// expect: wrong
// launch: block=256
// launch: n=2 block=2 grid=1
// launch: n=64 block=32 grid=2
// launch-ok: n=1000 block=1
// launch-ok: n=1 block=64 grid=1
/* Every thread adds to one shared word with a plain load, add and store. The
   barrier afterwards saves nothing. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float total;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0)
        total = 0.0f;
    __syncthreads();
    if (i < n)
        total += in[i]; // expect: race
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, total);
}
