/* Sixteen rounds of a xorshift generator, seeded by the element's bits:
 * shifts and exclusive ors. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ unsigned int all;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    unsigned int sum = 0;
    if (threadIdx.x == 0)
        all = 0;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        unsigned int x = __float_as_uint(in[i]) | 1u;
#pragma unroll 4
        for (int round = 0; round < 16; round++) {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
        }
        sum += x >> 16;
    }
    atomicAdd(&all, sum);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, (float)all);
}
