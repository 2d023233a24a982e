// launch: block=128
// launch: block=64
// launch-ok: block=96
/* A named barrier for 96 threads, in a block that has more or fewer. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    asm volatile("bar.sync 1, 96;");     // expect: barrier-divergence
    float sum = s[blockDim.x - 1 - tid]; // may: race
    atomicAdd(out, sum);
}
