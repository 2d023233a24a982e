// launch: block=128
// launch: block=256
// launch-ok: block=32
/* Only the first warp goes on after the first fold, but barriers follow. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (tid % 32 == 0) {
        for (unsigned int k = 1; k < 32; k++)
            s[tid] += s[tid + k];
    }
    __syncthreads();
    if (tid >= 32)
        return;      // may: barrier-divergence
    __syncthreads(); // expect: barrier-divergence
    if (tid == 0) {
        float sum = 0.0f;
        for (unsigned int k = 0; k < blockDim.x; k += 32)
            sum += s[k];
        atomicAdd(out, sum);
    }
}
