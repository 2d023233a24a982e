/* A warp a row of 256: the largest, then the sum of exponentials; the row is
 * read twice. */
__device__ float scale[1 << 15];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int lane = threadIdx.x % 32;
    size_t rows = n / 256;
    size_t warps = (size_t)gridDim.x * blockDim.x / 32;
    float all = 0.0f;
    for (size_t row = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
         row < rows; row += warps) {
        const float *at = in + row * 256;
        float most = at[lane], sum = 0.0f;
        for (unsigned int k = lane + 32; k < 256; k += 32)
            most = fmaxf(most, at[k]);
        for (int distance = 16; distance > 0; distance /= 2)
            most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, distance));
        for (unsigned int k = lane; k < 256; k += 32)
            sum += __expf(at[k] - most);
        for (int distance = 16; distance > 0; distance /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, distance);
        if (lane == 0)
            scale[row] = 1.0f / sum;
        all += sum;
    }
    if (lane == 0)
        atomicAdd(out, all);
}
