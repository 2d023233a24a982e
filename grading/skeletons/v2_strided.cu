/* v2_strided: unlike v1, the threads that add are threads 0, 1, 2 ... side by
 * side, so that whole warps work or rest.
 *
 *             s[0]  s[1]  s[2]  s[3]  s[4]  s[5]  s[6]  s[7]
 *   stride 1   t0          t1          t2          t3
 *   stride 2   t0                      t1
 *   stride 4   t0
 */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[]; // one word for each thread of the block
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;

    // TODO: the tree of v1, done by the first threads of the block
    /* - The words that are added are those of v1. Only who adds them changes.
     * - From the picture: which word does thread t look after in the round with
     *   this stride? Which threads have none?
     * - The index that you test is the index that you use. */
    // END TODO

    if (tid == 0)
        atomicAdd(out, s[0]);
}
