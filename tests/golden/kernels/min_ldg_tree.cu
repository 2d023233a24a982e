/* The smallest element: four loads a thread by the read-only path, a tree with
 * sequential addresses, an integer minimum a block on a key that has the order
 * of the floats. */
__device__ int key_of(float x)
{
    int bits = __float_as_int(x);
    return bits >= 0 ? bits : bits ^ 0x7fffffff;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[512];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x * 4 + tid;
    float least = 3.4e38f;
#pragma unroll
    for (int k = 0; k < 4; k++, i += blockDim.x)
        if (i < n)
            least = fminf(least, __ldg(in + i));
    s[tid] = least;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (tid < stride)
            s[tid] = fminf(s[tid], s[tid + stride]);
        __syncthreads();
    }
    if (tid == 0)
        atomicMin((int *)out, key_of(s[0]));
}
