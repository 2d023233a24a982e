// expect: wrong
// launch: n=49 block=64 grid=1
// launch-ok: n=28 block=64 grid=1
/* Groups of 7 lanes; the fifth of them lies across two warps, and a shuffle
   stays in one. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int tid = threadIdx.x, lane = tid % 32;
    float x = tid < n ? in[tid] : 0.0f, sum = 0.0f;

    for (unsigned int k = 0; k < 7; k++)
        sum += __shfl_sync(0xffffffffu, x, (int)(lane + k));
    if (tid % 7 == 0 && tid < n)
        atomicAdd(out, sum);
}
