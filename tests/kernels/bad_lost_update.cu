// expect: wrong
/* Read, add and write of one word by every thread, with no atomic: additions
   are lost. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        *out = *out + in[i];
}
