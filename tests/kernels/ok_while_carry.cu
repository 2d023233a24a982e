// expect: ok
// launch: block=128 grid=1
/* A running total in shared memory: barriers before and after the one thread
   that moves it on, and none of them reads a tile that is being zeroed. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float carry, tile;
    float total = 0.0f;

    if (threadIdx.x == 0)
        carry = 0.0f;
    for (size_t base = 0; base < n; base += blockDim.x) {
        if (threadIdx.x == 0)
            tile = 0.0f;
        __syncthreads();
        if (base + threadIdx.x < n)
            atomicAdd(&tile, in[base + threadIdx.x]);
        __syncthreads();
        total = carry + tile;
        __syncthreads();
        if (threadIdx.x == blockDim.x - 1)
            carry = total;
        __syncthreads();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *out = total;
}
