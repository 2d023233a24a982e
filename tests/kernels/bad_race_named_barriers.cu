// launch: block=128
// launch: block=64
/* Each warp waits at a named barrier of its own, and the warps share the
   array. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    if (tid / 32 == 0)
        asm volatile("bar.sync 1, 32;" : : : "memory");
    else if (tid / 32 == 1)
        asm volatile("bar.sync 2, 32;" : : : "memory");
    float sum = s[blockDim.x - 1 - tid]; // expect: race
    atomicAdd(out, sum);
}
