/* v4_first_add: unlike v3, each thread adds two elements while it loads, so
 * that half as many blocks do the work.
 *
 *   in[]   |<----- blockDim.x ----->|<----- blockDim.x ----->|<-- next block
 *   block 0  i                        i + blockDim.x
 *            +---------- s[tid] ------+
 */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[]; // one word for each thread of the block
    unsigned int tid = threadIdx.x;

    // TODO: put the sum of this thread's two elements into s[tid]
    /* Below is how v3 loads. Half as many blocks are launched now, so half of
     * the elements are never read.
     * - Where does the block's part of the array begin?
     * - Where is the second element, so that neighbouring lanes still read
     *   neighbouring words?
     * - n need not be a multiple of anything: when may each of the two be read?
     */
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    s[tid] = i < n ? in[i] : 0.0f;
    // END TODO
    __syncthreads();

    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }

    if (tid == 0)
        atomicAdd(out, s[0]);
}
