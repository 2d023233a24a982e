// expect: ok
// launch: block=64 shared=1024
// launch: block=256 shared=4096
/* The tree on parts of vectors, with its barriers. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float4 s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = make_float4(i < n ? in[i] : 0.0f, 0.0f, 0.0f, 0.0f);
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid].x += s[tid + stride].x;
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0].x + s[0].w);
}
