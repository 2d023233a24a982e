// expect: ok
// launch: block=256 shared=2048
// launch: block=32 shared=256
// launch: block=64 shared=512
/* The shared array is twice as long as the block and its upper half is zero, so
 * the last warp needs no guard, not even in a block of 32. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    s[tid + blockDim.x] = 0.0f;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid < 32) {
        volatile float *v = s;
        float x = v[tid];
        if (blockDim.x > 32)
            x += v[tid + 32];
        for (unsigned int distance = 16; distance > 0; distance /= 2) {
            __syncwarp();
            v[tid] = x;
            __syncwarp();
            x += v[tid + distance];
        }
        if (tid == 0)
            atomicAdd(out, x);
    }
}
