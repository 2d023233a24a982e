// expect: ok
// launch: block=64 shared=512
// launch: block=256 shared=2048
/* The tree on doubles, with its barriers. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ double s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, (float)s[0]);
}
