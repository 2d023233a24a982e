// expect: ok
// launch: block=64
// launch: block=256 grid=3
/* Every thread works out the block's sum that only thread 0 needs: slow and
   right. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    float sum = 0.0f, all = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += in[i];
    s[tid] = sum;
    __syncthreads();
    for (unsigned int k = 0; k < blockDim.x; k++)
        all += s[k];
    if (tid == 0)
        atomicAdd(out, all);
}
