// expect: ok
// launch: block=128 shared=1024
// launch: block=1024 shared=8192
/* Two arrays take turns: a round reads one and writes the other, so one barrier
 * a round is enough although every thread writes. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    float *from = s, *to = s + blockDim.x;

    from[tid] = i < n ? in[i] : 0.0f;
    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        to[tid] = tid >= stride ? from[tid] + from[tid - stride] : from[tid];
        float *t = from;
        from = to;
        to = t;
    }
    if (tid == blockDim.x - 1)
        atomicAdd(out, from[tid]);
}
