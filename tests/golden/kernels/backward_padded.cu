/* The array from its end, four elements a thread; then the tree of v2, with a
 * word of padding after each 32 against its conflicts. */
#define AT(k) ((k) + (k) / 32)

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[AT(1024)];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x * 4 + tid;
    float sum = 0.0f;
    for (int k = 0; k < 4; k++) {
        if (i < n)
            sum += in[n - 1 - i];
        i += blockDim.x;
    }
    s[AT(tid)] = sum;
    __syncthreads();
    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned int k = 2 * stride * tid;
        if (k < blockDim.x)
            s[AT(k)] += s[AT(k + stride)];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
