// expect: wrong
// launch: n=1000 block=64 grid=2
// launch: n=5000 block=96 grid=3
// launch-ok: n=100 block=64 grid=2
/* Two buffers, and one copy ahead. In the last turn nothing is ahead, so
   wait_group 1 lets the copy that is needed go on. */
__device__ void copy(float *to, const float *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
                 :
                 : "r"((unsigned int)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[2][1024];
    unsigned int tid = threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x, now = 0;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    float sum = 0.0f;

    if (i < n)
        copy(&s[0][tid], in + i);
    asm volatile("cp.async.commit_group;" : : : "memory");
    if (i < n && i + step >= n)
        asm volatile("cp.async.wait_all;" : : : "memory");
    for (; i < n; i += step, now ^= 1) {
        if (i + step < n) {
            copy(&s[now ^ 1][tid], in + i + step);
            asm volatile("cp.async.commit_group;" : : : "memory");
        }
        asm volatile("cp.async.wait_group 1;" : : : "memory");
        sum += s[now][tid]; // may: uninitialized
    }
    atomicAdd(out, sum); // may: uninitialized
}
