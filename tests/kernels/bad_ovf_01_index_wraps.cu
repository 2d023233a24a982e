// launch: n=32760 block=32 grid=1 budget=10000
// launch-ok: n=32000 block=32 grid=1
/* The index of a short is right up to the end, and then the last step makes
   it negative. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float sum = 0.0f;

    if (n > 32767)
        return;
    for (short i = (short)threadIdx.x; i < (int)n; i += 32) // may: no-progress
        sum += in[i];    // expect: out-of-bounds no-progress?
    atomicAdd(out, sum); // may: uninitialized
}
