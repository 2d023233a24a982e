// launch: n=1000 block=64 grid=2 budget=2000000
/* The stride becomes 0 and stays it.  Nothing is wrong with the barrier: the
   lanes that do not add wait there for those that do. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x, stride = blockDim.x / 2;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (;;) { // may: no-progress
        if (tid < stride) // may: no-progress
            s[tid] += s[tid + stride]; // may: no-progress
        __syncthreads(); // expect: no-progress
        stride /= 2; // may: no-progress
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
