// expect: ok
// launch: block=128 grid=3
/* Four float accumulators a thread, filled from the end of the array, then
   combined in double. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ double total;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    size_t step = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0)
        total = 0.0;
    __syncthreads();
    for (; i + 3 * step < n; i += 4 * step) {
        sum[3] += in[n - 1 - i];
        sum[2] += in[n - 1 - (i + step)];
        sum[1] += in[n - 1 - (i + 2 * step)];
        sum[0] += in[n - 1 - (i + 3 * step)];
    }
    for (; i < n; i += step)
        sum[0] += in[n - 1 - i];
    atomicAdd(&total, ((double)sum[0] + sum[1]) + ((double)sum[2] + sum[3]));
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, (float)total);
}
