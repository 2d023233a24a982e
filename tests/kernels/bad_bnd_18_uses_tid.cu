// launch: block=64
// launch: block=256
// launch-ok: n=1000 block=2
/* The index is worked out for the test, and the addition uses tid:
   neighbours change each other's words in the same step. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned int k = 2 * stride * tid;
        if (k < blockDim.x)
            s[tid] += s[tid + stride]; // expect: race
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
