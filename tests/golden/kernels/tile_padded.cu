/* As tile_columns, but a row has 33 words: columns spread over all banks. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float tile[32][33];
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned int warps = blockDim.x / 32;
    size_t base = (size_t)blockIdx.x * 1024;
    for (unsigned int row = warp; row < 32; row += warps) {
        size_t i = base + row * 32 + lane;
        tile[row][lane] = i < n ? in[i] : 0.0f;
    }
    __syncthreads();
    float sum = 0.0f;
    for (unsigned int column = warp; column < 32; column += warps)
        sum += tile[lane][column];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (lane == 0)
        atomicAdd(out, sum);
}
