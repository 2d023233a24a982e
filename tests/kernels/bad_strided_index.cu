// expect: wrong
// data: random integers negative
/* The index is worked out for the test, and then the addition uses tid. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned int k = 2 * stride * tid;
        float other = k < blockDim.x ? s[tid + stride] : 0.0f;
        __syncthreads();
        if (k < blockDim.x)
            s[tid] += other;
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
