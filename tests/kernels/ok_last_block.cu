// expect: ok
// launch: block=256 grid=40
// launch: block=32 grid=1
// launch: block=64 grid=300
/* One kernel, no float atomic: each block leaves its sum, the last one to take
 * a ticket adds them up and puts the ticket counter back for the next launch.
 * Fences on both sides of the ticket. */
__device__ float partial[4096];
__device__ unsigned int tickets;

__device__ float block_sum(float x, float *s)
{
    unsigned int tid = threadIdx.x;

    __syncthreads();
    s[tid] = x;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    return s[0];
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    __shared__ unsigned int ticket;
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += in[i];
    sum = block_sum(sum, s);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        ticket = atomicAdd(&tickets, 1u);
        __threadfence();
    }
    __syncthreads();
    if (ticket == gridDim.x - 1) {
        sum = 0.0f;
        for (unsigned int b = threadIdx.x; b < gridDim.x; b += blockDim.x)
            sum += __ldcg(&partial[b]);
        sum = block_sum(sum, s);
        if (threadIdx.x == 0) {
            *out = sum;
            tickets = 0;
        }
    }
}
