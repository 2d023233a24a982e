// launch: block=64 shared=1024
// launch: block=256 shared=2048
/* A vector of two words from an odd word of shared memory. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (tid + 2 < blockDim.x && tid % 2 == 1) {
        float2 v = *(const float2 *)(s + tid); // expect: misaligned
        atomicAdd(out, v.x + v.y);             // may: uninitialized
    }
    if (tid == 0)
        atomicAdd(out, s[0] + s[blockDim.x - 1]);
}
