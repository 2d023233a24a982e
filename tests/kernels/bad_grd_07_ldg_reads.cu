// launch: block=64 grid=8
// launch: n=1000 block=64 grid=2
__device__ float part[4096];
__device__ unsigned int tickets;

/* Both fences are there, but the sums come through the read-only cache, which
   need not see what the launch wrote. */
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
        part[blockIdx.x] = total;
        __threadfence();
        unsigned int ticket = atomicAdd(&tickets, 1u);
        __threadfence();
        if (ticket == gridDim.x - 1) {
            float sum = 0.0f;
            for (unsigned int b = 0; b < gridDim.x; b++)
                sum += __ldg(&part[b]); // expect: race
            *out = sum;
            tickets = 0;
        }
    }
}
