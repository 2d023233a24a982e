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
    /* A float4 must lie at a multiple of 16 bytes. */
    size_t head = (16 - (size_t)in % 16) % 16 / sizeof(float);
    if (head > n)
        head = n;
    const float4 *quads = (const float4 *)(in + head);
    size_t count = (n - head) / 4;
    size_t tile = (size_t)blockDim.x * LOADS; // in float4
    size_t first = blockIdx.x * tile;         // of this block's next tile
    float sums[LOADS] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (; first + tile <= count; first += gridDim.x * tile) {
        const float4 *at = quads + first + threadIdx.x;
        float4 x[LOADS];

#pragma unroll
        for (int k = 0; k < LOADS; k++)
            x[k] = at[k * blockDim.x];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            sums[k] += (x[k].x + x[k].y) + (x[k].z + x[k].w);
    }
    sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    if (i < head)
        sum += in[i];
    for (i += head + 4 * (count - count % tile); i < n; i += step)
        sum += in[i];
    // END TODO
    return sum;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float sum = block_sum(share(in, n));

    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}
