/* A prefix sum of each block: every thread adds in every round, from one half
 * of a double buffer to the other. */
__device__ float scanned[5 << 20];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[2][1024];
    unsigned int tid = threadIdx.x, from = 0;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    s[0][tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int distance = 1; distance < blockDim.x; distance *= 2) {
        float x = s[from][tid];
        if (tid >= distance)
            x += s[from][tid - distance];
        from ^= 1;
        s[from][tid] = x;
        __syncthreads();
    }
    if (i < n)
        scanned[i] = s[from][tid];
    if (tid == blockDim.x - 1)
        atomicAdd(out, s[from][tid]);
}
