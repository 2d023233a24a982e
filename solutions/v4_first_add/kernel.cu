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
    size_t i = (size_t)blockIdx.x * (2 * blockDim.x) + tid;
    float sum = 0.0f;

    /* Each of the two may be past the end by itself. */
    if (i < n)
        sum += in[i];
    if (i + blockDim.x < n)
        sum += in[i + blockDim.x];
    s[tid] = sum;
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
