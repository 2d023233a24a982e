// expect: ok
/* Clocks go forward, a nap ends, and special registers agree. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    long long start = clock64();
    unsigned int lane, nsmid, smid;

    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%smid;" : "=r"(smid));
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(nsmid));
    __nanosleep(100);
    if (i < n && clock64() >= start && lane == threadIdx.x % 32 && smid < nsmid)
        atomicAdd(out, in[i]);
}
