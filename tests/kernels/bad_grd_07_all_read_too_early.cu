// launch: block=64 grid=8
// launch: n=1000 block=128 grid=2
// launch-ok: n=1000 block=1 grid=1
__device__ float part[4096];
__device__ unsigned int tickets;

/* The whole last block reads the sums, but only thread 0 has fenced, and the
   others learn from it without a barrier. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float total;
    __shared__ bool is_last;
    unsigned int tid = threadIdx.x;

    if (tid == 0) {
        total = 0.0f;
        is_last = false;
    }
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        atomicAdd(&total, in[i]);
    __syncthreads();
    if (tid == 0) {
        part[blockIdx.x] = total;
        __threadfence();
        bool last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
        is_last = last; // expect: race
        __threadfence();
    }
    if (is_last && tid == blockDim.x - 1) { // may: race
        float sum = 0.0f;
        for (unsigned int b = 0; b < gridDim.x; b++)
            sum += part[b]; // may: race
        *out = sum;
    }
}
