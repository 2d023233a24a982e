// expect: wrong
/* Right for an input of ones only. */
extern "C" __global__ void reduce(const float *, float *out, size_t n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *out = (float)n;
}
