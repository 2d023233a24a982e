/* The mean of three neighbours, written out: loads that are one word off the
 * sectors' edges, and as many stores as elements. */
__device__ float smooth[5 << 20];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        atomicAdd(out, in[0] + in[n - 1]);
    if (i > 0 && i + 1 < n)
        smooth[i] = (in[i - 1] + in[i] + in[i + 1]) * (1.0f / 3.0f);
}
