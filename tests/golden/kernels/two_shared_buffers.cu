/* A tree of 8 elements a thread, in two buffers by turns: one barrier a step,
 * all threads to the end. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[2][1024];
    unsigned int tid = threadIdx.x, from = 0;
    size_t base = (size_t)blockIdx.x * blockDim.x * 8 + tid;
    float sum = 0.0f;
    for (unsigned int k = 0; k < 8; k++)
        if (base + k * blockDim.x < n)
            sum += in[base + k * blockDim.x];
    s[0][tid] = sum;
    for (unsigned int half = blockDim.x / 2; half > 0; half /= 2, from ^= 1) {
        __syncthreads();
        s[from ^ 1][tid] = s[from][tid] + s[from][tid ^ half];
    }
    __syncthreads();
    if (tid == 0)
        atomicAdd(out, s[from][0]);
}
