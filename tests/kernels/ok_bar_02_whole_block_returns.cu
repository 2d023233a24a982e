// expect: ok
// launch: n=1024 block=256 grid=9
// launch: n=64 block=64 grid=3
/* Blocks without elements return as a whole: nobody is missed at a barrier. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    if ((size_t)blockIdx.x * blockDim.x >= n)
        return;
    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
