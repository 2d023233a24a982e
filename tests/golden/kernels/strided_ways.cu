/* Threads leave their element for the neighbour at 2, 8, then 16 words from
 * each other: as many lanes meet in a bank.  Few blocks fit on an SM. */
template <unsigned int WAYS>
__device__ float from_neighbour(float *s, unsigned int tid, float x)
{
    unsigned int next = tid + 1 < blockDim.x ? tid + 1 : 0;
    s[tid * WAYS] = x;
    __syncthreads();
    x += s[next * WAYS];
    __syncthreads();
    return x;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[512 * 16];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    float x = i < n ? in[i] : 0.0f;
    x = from_neighbour<2>(s, tid, x);
    x = from_neighbour<8>(s, tid, x);
    x = from_neighbour<16>(s, tid, x);
    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_down_sync(0xffffffffu, x, distance);
    if (tid % 32 == 0)
        s[tid / 32] = x;
    __syncthreads();
    if (tid == 0) {
        for (unsigned int w = 1; w < blockDim.x / 32; w++)
            x += s[w];
        atomicAdd(out, x * 0.125f);
    }
}
