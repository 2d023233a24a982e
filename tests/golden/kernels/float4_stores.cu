/* 16-byte stores to shared memory, then words of it: side by side, and four
 * apart, where four lanes meet in a bank. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float4 s[1024];
    const float *words = (const float *)s;
    unsigned int tid = threadIdx.x, threads = blockDim.x;
    float sum = 0.0f;
    for (size_t base = (size_t)blockIdx.x * threads * 4; base < n;
         base += (size_t)gridDim.x * threads * 4) {
        size_t i = base + tid * 4;
        float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
        if (i + 3 < n)
            v = *(const float4 *)(in + i);
        s[tid] = v;
        __syncthreads();
        unsigned int other = (tid + 32) % threads;
        for (unsigned int k = 0; k < 4; k++)
            sum += words[k * threads + tid] * words[4 * other + k];
        __syncthreads();
    }
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (tid % 32 == 0)
        atomicAdd(out, sum);
}
