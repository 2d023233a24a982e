// data: nan
// launch: n=100 block=32 budget=400000
/* The loop compares floats: with a NaN it never ends. */
__device__ void add_by_cas(float *p, float x)
{
    int *word = (int *)p;
    float old = *(volatile float *)p, seen; // may: race

    do {
        seen = old; // may: no-progress
        old = __int_as_float(
            atomicCAS(word, __float_as_int(seen),
                      __float_as_int(seen + x))); // expect: no-progress race?
    } while (old != seen);                        // may: no-progress
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        add_by_cas(out, 0.5f * in[i]);
        add_by_cas(out, 0.5f * in[i]);
    }
}
