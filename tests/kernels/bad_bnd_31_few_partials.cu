// launch: n=1000 block=32 grid=8
// launch: block=64 grid=5
// launch-ok: n=1000 block=64 grid=4
__device__ float part[4];
__device__ unsigned int tickets;

/* Room for four blocks' sums, and more blocks. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float total;
    __shared__ bool is_last;
    unsigned int tid = threadIdx.x;

    if (tid == 0)
        total = 0.0f;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        atomicAdd(&total, in[i]);
    __syncthreads();
    if (tid == 0) {
        part[blockIdx.x] = total; // expect: out-of-bounds
        __threadfence();
        is_last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
        total = 0.0f;
    }
    __syncthreads();
    if (!is_last)
        return;
    for (unsigned int b = tid; b < gridDim.x; b += blockDim.x)
        atomicAdd(&total, __ldcg(&part[b])); // may: out-of-bounds
    __syncthreads();
    if (tid == 0)
        *out = total; // may: uninitialized
}
