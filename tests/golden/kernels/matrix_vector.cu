/* A matrix of 64 columns, column by column, times a vector that lies in shared
 * memory and is read by all lanes at once. */
__device__ float product[1 << 17];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float vector[64];
    size_t rows = n / 64;
    size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned int k = threadIdx.x; k < 64; k += blockDim.x)
        vector[k] = in[k];
    __syncthreads();
    if (row < rows) {
        float sum = 0.0f;
        for (unsigned int k = 0; k < 64; k++)
            sum += in[k * rows + row] * vector[k];
        product[row] = sum;
        if (row == 0)
            *out = sum;
    }
}
