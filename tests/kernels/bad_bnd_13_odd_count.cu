// expect: wrong
// data: random integers
// launch: n=1000 block=1024 grid=1
// launch: n=3 block=32 grid=1
// launch: n=5 block=32 grid=1
// launch: n=17 block=32 grid=1
// launch-ok: n=512 block=512 grid=1
// launch-ok: n=1 block=32 grid=1
/* Folding in half loses the word in the middle of an odd count. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x, left = (unsigned int)n;

    if (tid < n)
        s[tid] = in[tid];
    __syncthreads();
    while (left > 1) {
        unsigned int half = left / 2;
        if (tid < half)
            s[tid] += s[tid + half];
        left = half;
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, n > 0 ? s[0] : 0.0f);
}
