/* Each thread sums a piece of its own, as one would on a CPU: lanes are a whole
 * piece apart.  Then a tree. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[1024];
    unsigned int tid = threadIdx.x;
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t piece = (n + threads - 1) / threads;
    size_t first = ((size_t)blockIdx.x * blockDim.x + tid) * piece;
    size_t last = first + piece < n ? first + piece : n;
    float sum = 0.0f;
    for (size_t i = first; i < last; i++)
        sum += in[i];
    s[tid] = sum;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
