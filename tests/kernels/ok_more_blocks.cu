// expect: ok
// launch: n=1000 block=64 grid=500
// launch: n=0 block=32 grid=7
/* Far more blocks than elements: the loads are guarded, and idle threads stay
   alive with the identity. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = 0.0f;
    if (i < n)
        s[tid] = in[i];
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
