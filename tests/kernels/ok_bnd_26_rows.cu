// expect: ok
// launch: block=64
// launch: block=256
// launch: block=16
/* A slot for each row and column. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[64][16];
    unsigned int column = threadIdx.x % 16, row = threadIdx.x / 16;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    s[row][column] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (row == 0) {
        float sum = 0.0f;
        for (unsigned int r = 0; r < blockDim.x / 16; r++)
            sum += s[r][column];
        atomicAdd(out, sum);
    }
}
