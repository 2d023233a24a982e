/* x1_vectorized: unlike v6, a thread asks for 64 bytes before it adds any.
 *
 *   in[]   | head |<---- tile 0 ---->|<---- tile 1 ----> ...         | tail |
 *           0 to 3  a tile: 4 float4 for each thread of a block
 *
 *   a tile  |  blockDim float4  |  blockDim float4  |  ...  |  ...  |
 *   thread t   t                   t                   t       t
 *
 *   Head and tail are what is left: up to the first address that is a multiple
 *   of 16, and behind the last whole tile.
 */

#define LOADS 4 // float4 that a thread has on the way at once

__device__ __forceinline__ float warp_sum(float x)
{
    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_down_sync(0xffffffffu, x, distance);
    return x;
}

/* The sum of x over the block, in thread 0. */
__device__ __forceinline__ float block_sum(float x)
{
    __shared__ float warp_sums[32];
    unsigned int lane = threadIdx.x % 32;
    unsigned int warp = threadIdx.x / 32;

    x = warp_sum(x);
    if (lane == 0)
        warp_sums[warp] = x;
    __syncthreads();
    if (warp == 0)
        x = warp_sum(lane < blockDim.x / 32 ? warp_sums[lane] : 0.0f);
    return x;
}

/* This thread's share of in[0..n): every element belongs to one thread. */
__device__ __forceinline__ float share(const float *in, size_t n)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    // TODO: LOADS loads before the first addition; then float4 for float
    /* This is the loop of v6: one load, one addition, one load. Each trip
     * waits for memory.
     * - First without float4: LOADS loads into LOADS variables, a grid's width
     *   apart, and only then the additions. What if n ends in the middle?
     * - Then float4: four floats in one load. Its address must be a multiple
     *   of 16; in may start 4, 8 or 12 bytes off. The elements in front of the
     *   first such address and behind the last whole tile still count.
     * The line below forgets all but the first grid of elements. */
    if (i < n && i < step)
        sum = in[i];
    // END TODO
    return sum;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float sum = block_sum(share(in, n));

    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}
