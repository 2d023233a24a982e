// expect: ok
// launch: n=32700 block=256 grid=1
// launch: n=32767 block=256 grid=1
/* An index that is wider than the count. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float sum = 0.0f;

    if (n > 32767)
        return;
    for (int i = (int)threadIdx.x; i < (short)n; i += (int)blockDim.x)
        sum += in[i];
    atomicAdd(out, sum);
}
