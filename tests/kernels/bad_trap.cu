// launch: n=1000 block=64
// launch-ok: n=1024 block=64
/* The kernel gives up where there is no element. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        __trap(); // expect: trap
    atomicAdd(out, in[i]);
}
