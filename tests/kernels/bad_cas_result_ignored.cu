// expect: wrong
// launch: block=64
// launch: n=1000 block=32
/* A compare-and-swap whose answer nobody looks at: where another thread was
   faster, nothing is added. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    int *word = (int *)out;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        int old = *(volatile int *)word;
        int sum = __float_as_int(__int_as_float(old) + in[i]);
        atomicCAS(word, old, sum); // expect: suspicious
    }
}
