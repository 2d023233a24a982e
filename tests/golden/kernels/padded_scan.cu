/* A work-efficient prefix sum of two elements a thread: up a tree and down
 * again, a word of padding after each 32. */
__device__ float scanned[5 << 20];

__device__ unsigned int padded(unsigned int i)
{
    return i + i / 32;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[2048 + 64];
    unsigned int tid = threadIdx.x, count = 2 * blockDim.x, step = 1;
    size_t base = (size_t)blockIdx.x * count;
    for (unsigned int k = tid; k < count; k += blockDim.x)
        s[padded(k)] = base + k < n ? in[base + k] : 0.0f;
    for (unsigned int pairs = blockDim.x; pairs > 0; pairs /= 2, step *= 2) {
        __syncthreads();
        if (tid < pairs)
            s[padded(step * (2 * tid + 2) - 1)] +=
                s[padded(step * (2 * tid + 1) - 1)];
    }
    __syncthreads();
    if (tid == 0) {
        atomicAdd(out, s[padded(count - 1)]);
        s[padded(count - 1)] = 0.0f;
    }
    for (unsigned int pairs = 1; pairs < count; pairs *= 2) {
        step /= 2;
        __syncthreads();
        if (tid < pairs) {
            unsigned int a = padded(step * (2 * tid + 1) - 1);
            unsigned int b = padded(step * (2 * tid + 2) - 1);
            float left = s[a];
            s[a] = s[b];
            s[b] += left;
        }
    }
    __syncthreads();
    for (unsigned int k = tid; k < count; k += blockDim.x)
        if (base + k < n)
            scanned[base + k] = s[padded(k)];
}
