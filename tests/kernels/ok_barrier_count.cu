// expect: ok
/* Barriers that also count or combine a condition of all threads (bar.red). */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float total;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t begin = (size_t)blockIdx.x * blockDim.x;
    size_t there = begin < n ? min(n - begin, (size_t)blockDim.x) : 0;

    if (threadIdx.x == 0)
        total = 0.0f;
    if ((size_t)__syncthreads_count(i < n) != there)
        return;
    if ((__syncthreads_and(i < n) != 0) != (there == blockDim.x))
        return;
    if ((__syncthreads_or(i < n) != 0) != (there > 0))
        return;
    if (i < n)
        atomicAdd(&total, in[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, total);
}
