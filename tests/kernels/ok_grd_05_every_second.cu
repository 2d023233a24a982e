// expect: ok
// launch: block=64
// launch: block=32
/* Only those whose neighbour is idle in this step add it. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int d = 1; d < blockDim.x; d *= 2) {
        if (tid % (2 * d) == 0 && tid + d < blockDim.x)
            s[tid] += s[tid + d];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
