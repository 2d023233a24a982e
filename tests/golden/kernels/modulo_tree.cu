/* Remainders everywhere: by the count (where to read), by a constant (the
 * weight), by the stride (who adds); blocks that are no power of two. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[1024];
    unsigned int tid = threadIdx.x, count = (unsigned int)n;
    float sum = 0.0f;
    for (unsigned int i = blockIdx.x * blockDim.x + tid; i < count;
         i += gridDim.x * blockDim.x)
        sum += in[i * 3u % count] * (float)(i % 5 + 1);
    s[tid] = sum;
    __syncthreads();
    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        if (tid % (2 * stride) == 0 && tid + stride < blockDim.x)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
