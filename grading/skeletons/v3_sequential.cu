/* v3_sequential: unlike v2, the stride shrinks from half of the block, so that
 * neighbours add neighbouring words.
 *
 *             s[0]  s[1]  s[2]  s[3]  s[4]  s[5]  s[6]  s[7]
 *   stride 4   t0    t1    t2    t3    |     |     |     |
 *   stride 2   t0    t1    |     |
 *   stride 1   t0    |
 */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[]; // one word for each thread of the block
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;

    // TODO: fold the right half onto the left half until one word is left
    /* - Where does the stride start, where does it stop, and how does it
     *   change?
     * - Which threads work in a round, and which word does each of them own?
     * - Everything that you learned about barriers in v1 still holds. */
    // END TODO

    if (tid == 0)
        atomicAdd(out, s[0]);
}
