// expect: wrong
/* Does nothing: *out keeps the 0 of the harness. */
extern "C" __global__ void reduce(const float *, float *, size_t)
{
}
