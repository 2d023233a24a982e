// launch: n=1000 block=64
// launch: block=256
/* The fold is done in place, in the input. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float *d = (float *)in;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n / 2)
        d[i] += d[n - 1 - i]; // expect: input-written
    if (i < n - n / 2)
        atomicAdd(out, d[i]);
}
