// launch: block=64 grid=4
// launch: n=200 block=64 grid=2
/* Warp 0 says "ready" before it has filled the slots. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float slot[32];
    unsigned int lane = threadIdx.x % 32;
    size_t begin = (size_t)blockIdx.x * 32, step = (size_t)gridDim.x * 32;
    float sum = 0.0f;

    for (size_t base = begin; base < n; base += step) {
        if (threadIdx.x < 32) {
            asm volatile("bar.arrive 1, 64;" : : : "memory");
            slot[lane] =
                base + lane < n ? in[base + lane] : 0.0f; // expect: race
            asm volatile("bar.sync 2, 64;" : : : "memory");
        } else {
            asm volatile("bar.sync 1, 64;" : : : "memory");
            sum += slot[31 - lane]; // may: uninitialized
            asm volatile("bar.arrive 2, 64;" : : : "memory");
        }
    }
    if (threadIdx.x >= 32)
        atomicAdd(out, sum); // may: uninitialized
}
