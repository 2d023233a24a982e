/* Tiles are turned in shared memory, whose rows have 34, 36 and 48 words: two,
 * four and sixteen lanes meet in a bank; then they are written out. */
__device__ float turned[5 << 20];
__device__ float again[5 << 20];

template <int WIDTH>
__device__ float turn(const float *from, float *to, float *tile, size_t count)
{
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned int warps = blockDim.x / 32;
    float sum = 0.0f;
    for (unsigned int row = warp; row < 32; row += warps)
        if (row * 32 + lane < count)
            tile[row * WIDTH + lane] = from[row * 32 + lane];
    __syncthreads();
    for (unsigned int row = warp; row < 32; row += warps)
        if (lane * 32 + row < count) {
            sum += tile[lane * WIDTH + row];
            if (to)
                to[row * 32 + lane] = tile[lane * WIDTH + row];
        }
    __syncthreads();
    return sum;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float tile[32 * 48];
    size_t base = (size_t)blockIdx.x * 1024;
    float sum = turn<34>(in + base, turned + base, tile, n - base);
    sum += turn<36>(in + base, again + base, tile, n - base);
    sum += turn<48>(in + base, nullptr, tile, n - base);
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
