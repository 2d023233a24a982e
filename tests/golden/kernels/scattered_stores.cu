/* Each element goes where a multiplication by an odd number sends it. */
__device__ float there[1 << 22];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        there[(unsigned int)i * 2654435761u >> 10] = in[i];
    if (i == 0)
        *out = in[0];
}
