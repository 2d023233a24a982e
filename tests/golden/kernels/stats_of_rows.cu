/* Mean and variance of rows of 64, by Welford, a thread a row: its loads lie
 * far from its neighbours'. */
__device__ float2 stats[1 << 16];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n / 64)
        return;
    const float4 *at = (const float4 *)(in + row * 64);
    float mean = 0.0f, squares = 0.0f;
    for (int k = 0; k < 16; k++) {
        float4 x = at[k];
        float all[4] = {x.x, x.y, x.z, x.w};
        for (int j = 0; j < 4; j++) {
            float off = all[j] - mean;
            mean += off * (1.0f / (float)(4 * k + j + 1));
            squares += off * (all[j] - mean);
        }
    }
    stats[row] = make_float2(mean, squares);
    if (row == 0)
        *out = mean;
}
