// expect: ok
// needs: nvcc
// launch: n=2000 block=64 grid=4
#include <cuda/atomic>
__device__ float slot[64];
__device__ unsigned int tickets;

/* The ticket is an acquire and a release of the C++ library: no fences. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s;
    if (!threadIdx.x)
        s = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        atomicAdd(&s, in[i]);
    __syncthreads();
    if (threadIdx.x)
        return;
    slot[blockIdx.x] = s;
    cuda::atomic_ref<unsigned int, cuda::thread_scope_device> t(tickets);
    if (t.fetch_add(1u, cuda::memory_order_acq_rel) == gridDim.x - 1) {
        float x = 0;
        for (unsigned int b = 0; b < gridDim.x; b++)
            x += slot[b];
        *out = x;
        t.store(0u, cuda::memory_order_relaxed);
    }
}
