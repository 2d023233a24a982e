// expect: wrong
// data: random negative
// launch: block=64
// launch: block=256
/* redux adds whole numbers only: the cast that makes it compile cuts the
   fractions off. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int whole = i < n ? (int)in[i] : 0; // expect: suspicious
    int sum = __reduce_add_sync(0xffffffffu, whole);

    if (threadIdx.x % 32 == 0)
        atomicAdd(out, (float)sum);
}
