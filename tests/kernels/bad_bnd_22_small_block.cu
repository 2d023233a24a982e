// launch: block=32
// launch: n=3200 block=32 grid=100
// launch-ok: block=64
// launch-ok: block=256
/* The last warp reads 32 words that a block of 32 threads does not have. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid < 32) {
        float sum = s[tid] + s[tid + 32]; // expect: out-of-bounds
        for (int distance = 16; distance > 0; distance /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, distance);
        if (tid == 0)
            atomicAdd(out, sum); // may: uninitialized
    }
}
