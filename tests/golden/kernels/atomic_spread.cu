/* One atomic a thread, as in v0, but for a pair of elements and on four words
 * instead of one; threads past the end leave at once. */
__device__ float words[4];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0 && n % 2 == 1)
        atomicAdd(out, in[n - 1]);
    if (i >= n / 2)
        return;
    float2 pair = ((const float2 *)in)[i];
    atomicAdd(&words[threadIdx.x % 4], pair.x + pair.y);
}
