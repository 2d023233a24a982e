// expect: ok
// launch: block=64 grid=2
/* Each thread carries what its additions rounded away; the intrinsics keep the
   compiler from simplifying it. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    double total = 0.0;
    float sum = 0.0f, lost = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        float x = __fsub_rn(in[i], lost);
        float next = __fadd_rn(sum, x);
        lost = __fsub_rn(__fsub_rn(next, sum), x);
        sum = next;
    }
    total = isfinite(sum) ? (double)sum - (double)lost : (double)sum;
    for (int distance = 16; distance > 0; distance /= 2)
        total += __shfl_down_sync(0xffffffffu, total, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, (float)total);
}
