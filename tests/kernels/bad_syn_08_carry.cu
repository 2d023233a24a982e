// launch: n=1000 block=128 grid=1
// launch: n=1000 block=32 grid=1
// launch-ok: n=100 block=1 grid=1
/* The last thread moves the running total on while others still read the old
   one: the barrier stands only behind the update. */
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
        if (threadIdx.x == blockDim.x - 1)
            carry = total; // expect: race
        __syncthreads();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *out = total;
}
