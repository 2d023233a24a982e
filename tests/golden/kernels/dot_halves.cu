/* The dot product of the array's two halves: two products a thread, a tree, and
 * the last warp written out in volatile shared memory. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[1024];
    volatile float *v = s;
    unsigned int tid = threadIdx.x;
    size_t half = n / 2;
    const float *other = in + half;
    size_t i = (size_t)blockIdx.x * blockDim.x * 2 + tid;
    size_t k = i + blockDim.x;
    float x = i < half ? in[i] * other[i] : 0.0f;
    if (k < half)
        x = fmaf(in[k], other[k], x);
    s[tid] = x;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 32; stride >>= 1) {
        if (tid < stride)
            s[tid] = x = x + s[tid + stride];
        __syncthreads();
    }
    if (tid < 32) {
        x += v[tid + 32];
        __syncwarp();
#pragma unroll
        for (int distance = 16; distance > 0; distance /= 2) {
            v[tid] = x;
            __syncwarp();
            x += v[tid + distance];
            __syncwarp();
        }
        if (tid == 0)
            atomicAdd(out, x);
    }
}
