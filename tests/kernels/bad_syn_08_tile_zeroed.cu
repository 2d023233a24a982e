// launch: n=1000 block=128 grid=1
// launch: n=1000 block=32 grid=1
// launch-ok: n=100 block=128 grid=1
/* Thread 0 zeroes the next tile while the last thread may still add this one
   to the total. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float carry, tile;
    float seen = 0.0f;

    if (threadIdx.x == 0)
        carry = 0.0f;
    for (size_t base = 0; base < n; base += blockDim.x) {
        if (threadIdx.x == 0)
            tile = 0.0f; // expect: race
        __syncthreads();
        if (base + threadIdx.x < n)
            atomicAdd(&tile, in[base + threadIdx.x]);
        __syncthreads();
        seen = carry;
        __syncthreads();
        if (threadIdx.x == blockDim.x - 1)
            carry = seen + tile;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *out = n > 0 ? carry : 0.0f;
}
