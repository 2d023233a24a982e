// expect: ok
// launch: block=96
// launch: block=768
// launch: n=1000 block=100 grid=10
/* The half is rounded up, and who has no partner waits: right for every size
   of block. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int count = blockDim.x; count > 1;) {
        unsigned int half = (count + 1) / 2;
        if (tid + half < count)
            s[tid] += s[tid + half];
        count = half;
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
