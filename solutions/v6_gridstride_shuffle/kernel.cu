/* v6_gridstride_shuffle: unlike v5, a grid of any size walks the array, and
 * lanes read each other's registers.
 *
 *   in[]   |<---- whole grid ---->|<---- whole grid ---->|<---- whole grid ...
 *   thread   i                      i + stride             i + 2 * stride
 *
 *   32 lanes --shuffle--> lane 0 -> warp_sums[warp] -> warp 0 --shuffle--> *out
 */

/* The sum of x over the 32 lanes of the warp, in lane 0. All 32 lanes must call
   it together. */
__device__ __forceinline__ float warp_sum(float x)
{
    // TODO: five rounds: each lane adds the register of a lane to its right
    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_down_sync(0xffffffffu, x, distance);
    // END TODO
    return x;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    // TODO: this thread takes i, and then walks on in steps of the whole grid
    size_t stride = (size_t)gridDim.x * blockDim.x; // n may exceed 2^32

    for (; i < n; i += stride)
        sum += in[i];
    // END TODO

    sum = warp_sum(sum);

    // TODO: a shared word for each warp; warp 0 adds those up; one atomic
    __shared__ float warp_sums[32]; // 1024 threads at most, so 32 warps at most
    unsigned int lane = threadIdx.x % 32;
    unsigned int warp = threadIdx.x / 32;

    if (lane == 0)
        warp_sums[warp] = sum;
    __syncthreads();

    if (warp == 0) {
        /* All 32 lanes take part, also when the block has fewer warps. */
        sum = lane < blockDim.x / 32 ? warp_sums[lane] : 0.0f;
        sum = warp_sum(sum);
        if (lane == 0)
            atomicAdd(out, sum);
    }
    // END TODO
}
