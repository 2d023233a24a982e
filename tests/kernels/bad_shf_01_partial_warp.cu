// launch: n=110 block=11 grid=10
// launch: n=33 block=33 grid=1
// launch: n=17 block=17 grid=1
// launch-ok: block=32
// launch-ok: block=64
/* A block with a warp that is not full: the shuffle reads lanes that do not
   exist. Hardware often gives 0 there, which suits a sum and nothing else. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum,
                                distance); // expect: bad-sync-mask
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum); // may: uninitialized
}
