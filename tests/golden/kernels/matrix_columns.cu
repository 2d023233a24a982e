/* The sums of the 256 columns of a matrix: a thread walks down its column, and
 * adds to one of 256 words; the lanes of a warp add to neighbours. */
#define COLUMNS 256
__device__ float columns[COLUMNS];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int column = thread % COLUMNS;
    unsigned int step = gridDim.x * blockDim.x / COLUMNS;
    size_t rows = n / COLUMNS;
    float sum = 0.0f;
    for (size_t row = thread / COLUMNS; row < rows; row += step)
        sum += in[row * COLUMNS + column];
    atomicAdd(&columns[column], sum);
    if (thread == 0)
        *out = sum;
}
