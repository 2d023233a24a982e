// expect: wrong
// launch: n=1003 block=64
// launch: n=3 block=32
// launch-ok: n=1000 block=64
/* Four elements at a time; the one to three that are left at the end are
   forgotten. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t q = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (q < n / 4)
        atomicAdd(out, (in[4 * q] + in[4 * q + 1]) +
                           (in[4 * q + 2] + in[4 * q + 3]));
}
