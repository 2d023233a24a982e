// expect: ok
// launch: n=49 block=64 grid=1
// launch: n=28 block=64 grid=1
// launch: n=28 block=28 grid=1
/* Groups of 7 within each warp; the four lanes that are left go alone. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int tid = threadIdx.x, lane = tid % 32;
    float x = tid < n ? in[tid] : 0.0f, sum = 0.0f;

    for (unsigned int k = 0; k < 7; k++) {
        float other = __shfl_sync(0xffffffffu, x, (int)min(lane + k, 27u));
        if (lane % 7 + k < 7 && lane < 28)
            sum += other;
    }
    if (lane % 7 == 0 && lane < 28)
        atomicAdd(out, sum);
    if (lane >= 28)
        atomicAdd(out, x);
}
