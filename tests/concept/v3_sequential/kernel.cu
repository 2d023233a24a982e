/* v3 as another person would write it: the own sum stays in a register, the
 * barrier stands at the start of a round, threads that are done leave it. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float buffer[];
    const unsigned int t = threadIdx.x;
    const size_t i = blockIdx.x * (size_t)blockDim.x + t;
    float mine = 0.0f;

    if (i < n)
        mine = in[i];
    buffer[t] = mine;
    for (unsigned int half = blockDim.x >> 1; half; half >>= 1) {
        __syncthreads();
        if (t >= half)
            continue;
        mine += buffer[t + half];
        buffer[t] = mine;
    }
    if (!t)
        atomicAdd(out, mine);
}
