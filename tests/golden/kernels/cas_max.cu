/* The largest element by compare and swap: few large blocks, one thread of
 * each tries; four loads on the way. */
__device__ unsigned int top;

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float warps[32];
    size_t stride = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float most = 0.0f;
    for (; i + 3 * stride < n; i += 4 * stride) {
        float a = fmaxf(in[i], in[i + stride]);
        float b = fmaxf(in[i + 2 * stride], in[i + 3 * stride]);
        most = fmaxf(most, fmaxf(a, b));
    }
    for (; i < n; i += stride)
        most = fmaxf(most, in[i]);
    for (int distance = 16; distance > 0; distance /= 2)
        most = fmaxf(most, __shfl_down_sync(0xffffffffu, most, distance));
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = most;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned int w = 1; w < blockDim.x / 32; w++)
            most = fmaxf(most, warps[w]);
        unsigned int seen = 0, assumed;
        do {
            assumed = seen;
            if (__uint_as_float(assumed) >= most)
                break;
            seen = atomicCAS(&top, assumed, __float_as_uint(most));
        } while (seen != assumed);
        atomicAdd(out, most);
    }
}
