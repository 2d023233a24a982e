/* A sum that no order of additions changes: 64-bit fixed point, two elements a
 * thread, the interleaved tree of v1 with 8-byte words. */
__device__ unsigned long long total;

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ long long s[1024];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x * 2 + tid;
    long long sum = 0;
    if (i < n)
        sum = __float2ll_rn(in[i] * 1048576.0f);
    if (i + blockDim.x < n)
        sum += __float2ll_rn(in[i + blockDim.x] * 1048576.0f);
    s[tid] = sum;
    __syncthreads();
    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        if (tid % (2 * stride) == 0)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid == 0) {
        atomicAdd(&total, (unsigned long long)s[0]);
        atomicAdd(out, (float)s[0] / 1048576.0f);
    }
}
