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
    /* It is the tree of v3 without memory. Look up __shfl_down_sync: its mask
       names the lanes that take part. */
    // END TODO
    return x;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    // TODO: this thread takes i, and then walks on in steps of the whole grid
    /* Now each thread takes one element at most, whatever n is. How many
     * threads has the whole grid? Which type holds an index when n is larger
     * than 2^32? */
    if (i < n)
        sum = in[i];
    // END TODO

    sum = warp_sum(sum);

    // TODO: a shared word for each warp; warp 0 adds those up; one atomic
    /* - How many warps can a block have at most? A static __shared__ array of
     *   that many words is enough.
     * - Which lane of a warp knows the warp's sum? It writes it down; then the
     *   block waits once.
     * - Warp 0 adds the words with the same helper. A lane for which there is
     *   no warp brings 0. The lines below forget every warp but the first. */
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
    // END TODO
}
