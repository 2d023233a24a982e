// data: integers
// launch: block=64
// launch: block=256
/* A match with a mask that leaves out the upper half of the warp. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    unsigned int who =
        __match_any_sync(0xffffu, (int)sum); // expect: bad-sync-mask

    if (who != 0 || i < n)
        atomicAdd(out, sum);
}
