// expect: wrong
// launch: n=1024 block=256 grid=4
// launch: n=4096 block=64 grid=64
/* blockDim.x + blockIdx.x where * belongs: nearly all blocks read the same
   elements. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)threadIdx.x + blockDim.x + blockIdx.x;
    float x = 0.0f;

    if (i < n)
        x = in[i];
    atomicAdd(out, x);
}
