// expect: wrong
// launch: block=256
// launch: n=40 block=32 grid=2
// launch-ok: n=1 block=32 grid=1
/* Read, add and write of one word by every thread, with no atomic: additions
   are lost. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        *out = *out + in[i]; // expect: race
}
