// expect: ok
// launch: block=256
// launch: n=1000 block=64 grid=2
__device__ float part[4096];

/* Each block zeroes a word of its own before it adds to it. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float total;
    unsigned int tid = threadIdx.x;

    if (tid == 0)
        total = 0.0f;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        atomicAdd(&total, in[i]);
    __syncthreads();
    if (tid == 0) {
        part[blockIdx.x] = 0.0f;
        atomicAdd(&part[blockIdx.x], total);
        atomicAdd(out, part[blockIdx.x]);
    }
}
