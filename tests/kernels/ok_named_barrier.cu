// expect: ok
// launch: block=128
/* Two halves of a block synchronise apart from each other, on barriers 1 and 2
   with 64 threads each. */
__device__ void half_barrier(unsigned int half)
{
    if (half == 0)
        asm volatile("bar.sync 1, 64;" : : : "memory");
    else
        asm volatile("bar.sync 2, 64;" : : : "memory");
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x, half = tid / 64, k = tid % 64;
    float *mine = s + 64 * half;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    mine[k] = i < n ? in[i] : 0.0f;
    half_barrier(half);
    for (unsigned int stride = 32; stride > 0; stride /= 2) {
        if (k < stride)
            mine[k] += mine[k + stride];
        half_barrier(half);
    }
    if (k == 0)
        atomicAdd(out, mine[0]);
}
