/* v5_unroll_last_warp: unlike v4, the last six rounds are straight lines in
 * warp 0, with no loop and no block barrier.
 *
 *   round of stride   128   64  |  32   16    8    4    2    1
 *   who works        warps and  |            warp 0 alone,
 *                    a barrier  |        a __syncwarp is enough
 */

// TODO: one round of the last warp
/* Lane l adds the word that lies `distance` to its right. Lanes of a warp need
 * not run in step (Volta and later), so they nod to each other twice: nobody
 * writes before all have read, and nobody reads on before all have written.
 * volatile makes each read and each write really go to shared memory. */
__device__ __forceinline__ void fold(volatile float *s, unsigned int lane,
                                     unsigned int distance)
{
    float sum = s[lane] + s[lane + distance];
    __syncwarp();
    s[lane] = sum;
    __syncwarp();
}
// END TODO

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[]; // one word for each thread: at least 64
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * (2 * blockDim.x) + tid;
    float sum = 0.0f;

    if (i < n)
        sum += in[i];
    if (i + blockDim.x < n)
        sum += in[i + blockDim.x];
    s[tid] = sum;
    __syncthreads();

    // TODO: rounds with a barrier while several warps work, then six without
    for (unsigned int stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }

    /* From 16 on the upper lanes add words that nobody needs, which costs less
     * than asking each lane. */
    if (tid < 32) {
        fold(s, tid, 32);
        fold(s, tid, 16);
        fold(s, tid, 8);
        fold(s, tid, 4);
        fold(s, tid, 2);
        fold(s, tid, 1);
    }
    // END TODO

    if (tid == 0)
        atomicAdd(out, s[0]);
}
