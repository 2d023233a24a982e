// launch: block=64 grid=4
// launch: n=1000 block=32 grid=2
// launch-ok: n=1000 block=64 grid=1
/* atomicAdd_block() excludes the threads of one block only, and all blocks
   add. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += in[i];
    atomicAdd_block(out, sum); // expect: race
}
