// launch: block=256
// launch: block=96 grid=3
// launch-ok: n=4000 block=64
/* A named barrier for 64 threads where the whole block shares the array: the
   third warp and those after it are not waited for. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    if (tid < 64)
        asm volatile("bar.sync 1, 64;" : : : "memory");
    if (tid == 0) {
        float sum = 0.0f;
        for (unsigned int k = 0; k < blockDim.x; k++)
            sum += s[k]; // expect: race
        atomicAdd(out, sum);
    }
}
