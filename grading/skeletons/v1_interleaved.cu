/* v1_interleaved: unlike v0, a block first folds its elements in shared memory
 * and then sends one atomic.
 *
 *   s[]       1   2   3   4   5   6   7   8
 *   stride 1  3       7      11      15        threads 0 2 4 6 add
 *   stride 2 10              26                threads 0     4 add
 *   stride 4 36                                thread  0       adds
 */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[]; // one word for each thread of the block
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    /* A thread without an element brings 0, which changes no sum. */
    s[tid] = i < n ? in[i] : 0.0f;

    // TODO: fold s[] into s[0], then add s[0] to *out once for the block
    /* - Draw the picture above for a block of 8: which threads work in each
     *   round, and how far away is the partner?
     * - A round may only start when all threads have finished the one before.
     *   What says so? Who must reach it?
     * - The line below keeps one block's word and loses all others. You know
     *   the cure from v0. */
    if (tid == 0)
        *out = s[0];
    // END TODO
}
