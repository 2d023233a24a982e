// expect: ok
/* An array that only the thread sees, with an index that is known at run time:
   it lives in local memory. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float bin[16];
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (int k = 0; k < 16; k++)
        bin[k] = 0.0f;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += step)
        bin[(i * 2654435761u >> 7) % 16] += in[i];
    float sum = 0.0f;
    for (unsigned int k = 0; k < 16; k++)
        sum += bin[(k * 7 + threadIdx.x) % 16];
    atomicAdd(out, sum);
}
