// expect: ok
// launch: block=32
// launch: block=64
// launch: block=256
/* Those words are read only where there are that many threads. */
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
        float sum = s[tid] + (blockDim.x >= 64 ? s[tid + 32] : 0.0f);
        for (int distance = 16; distance > 0; distance /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, distance);
        if (tid == 0)
            atomicAdd(out, sum);
    }
}
