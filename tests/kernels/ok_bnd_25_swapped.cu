// expect: ok
// launch: n=10000 block=64 grid=1000
// launch: n=10000 block=1000 grid=64
/* A loop over the grid is right also if blocks and threads were swapped in
   the launch. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        atomicAdd(out, in[i]);
}
