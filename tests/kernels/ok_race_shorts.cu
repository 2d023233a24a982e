// expect: ok
// data: ones
// launch: block=64 shared=256
// launch: block=256 shared=1024
/* The tree on shorts, with its barriers. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ short s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = (short)(i < n ? in[i] : 0.0f);
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] = (short)(s[tid] + s[tid + stride]);
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, (float)s[0]);
}
