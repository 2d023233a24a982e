// expect: ok
// launch: block=256
/* The block size as a compile-time constant: the tree is unrolled whole. */
template <unsigned int block> __device__ float block_sum(float x)
{
    __shared__ float s[block];
    unsigned int tid = threadIdx.x;

    s[tid] = x;
    __syncthreads();
#pragma unroll
    for (unsigned int stride = block / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    return s[0];
}

extern "C" __global__ void __launch_bounds__(256, 2)
    reduce(const float *__restrict__ in, float *__restrict__ out, size_t n)
{
    size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    float sum = block_sum<256>(i < n ? in[i] : 0.0f);

    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}
