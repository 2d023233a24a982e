// data: integers
// launch: block=64
// launch: block=256
/* A redux with a mask that leaves out the upper half of the warp. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    int all = __reduce_add_sync(0xffffu, (int)sum); // expect: bad-sync-mask

    if (threadIdx.x % 32 == 0)
        atomicAdd(out, (float)all);
}
