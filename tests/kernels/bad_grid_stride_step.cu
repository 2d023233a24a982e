// expect: wrong
// launch: n=1024 block=256 grid=4
// launch-ok: n=1024 block=256 grid=1
/* The step is the block's size and not the grid's: a block adds everything from
   its start on. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += blockDim.x)
        sum += in[i];
    atomicAdd(out, sum);
}
