// expect: ok
// launch: block=64 grid=4
/* Warp 0 loads and warp 1 adds. bar.arrive lets a warp say "ready" without
   waiting; barrier 1 means full, 2 empty. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float slot[32];
    unsigned int lane = threadIdx.x % 32;
    size_t begin = (size_t)blockIdx.x * 32, step = (size_t)gridDim.x * 32;
    float sum = 0.0f;

    for (size_t base = begin; base < n; base += step) {
        if (threadIdx.x < 32) {
            slot[lane] = base + lane < n ? in[base + lane] : 0.0f;
            asm volatile("bar.arrive 1, 64;" : : : "memory");
            asm volatile("bar.sync 2, 64;" : : : "memory");
        } else {
            asm volatile("bar.sync 1, 64;" : : : "memory");
            sum += slot[31 - lane];
            asm volatile("bar.arrive 2, 64;" : : : "memory");
        }
    }
    if (threadIdx.x >= 32)
        atomicAdd(out, sum);
}
