// expect: wrong
/* Writes 0, whatever comes in. */
extern "C" __global__ void reduce(const float *, float *out, size_t)
{
    *out = 0.0f;
}
