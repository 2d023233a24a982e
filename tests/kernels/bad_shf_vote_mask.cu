// launch: block=64
// launch: block=256
/* A ballot with a mask of 16 lanes, called by 32. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    unsigned int who = __ballot_sync(0xffffu, i < n); // expect: bad-sync-mask

    if (who != 0 || i < n)
        atomicAdd(out, sum);
}
