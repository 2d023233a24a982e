// expect: ok
/* The lanes that are in this branch right now elect one of them, who reserves
 * room for all with one atomic; then each puts its element into the place it
 * got. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    __shared__ int used;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;

    if (threadIdx.x == 0)
        used = 0;
    __syncthreads();
    if (i < n && in[i] != 0.0f) {
        unsigned int active = __activemask();
        int leader = __ffs(active) - 1, base = 0;
        if (lane == leader)
            base = atomicAdd(&used, __popc(active));
        base = __shfl_sync(active, base, leader);
        s[base + __popc(active & ((1u << lane) - 1))] = in[i];
    }
    __syncthreads();
    float sum = 0.0f;
    for (int k = threadIdx.x; k < used; k += (int)blockDim.x)
        sum += s[k];
    atomicAdd(out, sum);
}
