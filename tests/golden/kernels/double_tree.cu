/* The tree of v3 with doubles: 64-bit shared accesses go in two halves. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ double s[512];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    s[tid] = i < n ? (double)in[i] : 0.0;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, (float)s[0]);
}
