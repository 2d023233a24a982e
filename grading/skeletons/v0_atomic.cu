/* v0_atomic: unlike a loop on one CPU core, there is one thread for every
 * element, and each adds its own to *out.
 *
 *   thread   0      1      2      3    ...
 *   in[i]   1.5   -0.3    2.0    0.7   ...
 *             \      |      |      /
 *              +-----+- *out +----+        one word, so one addition at a time
 */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    /* The last block may reach past the end of the array. */
    if (i < n) {
        // TODO: add in[i] to *out
        /* This line reads, adds and writes. Thousands of threads do it at once:
         * what happens to a sum that another thread wrote between your read and
         * your write? Make the three one step that nobody can get into. */
        *out = *out + in[i];
        // END TODO
    }
}
