// expect: ok
/* Atomics for the block and for the whole system. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float total;
    __shared__ unsigned int count;
    __shared__ int most;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0) {
        total = 0.0f;
        count = 0;
        most = -1;
    }
    __syncthreads();
    if (i < n)
        atomicAdd_block(&total, in[i]);
    atomicInc_block(&count, 100000u);
    atomicMax_block(&most, (int)threadIdx.x);
    __threadfence_block();
    __syncthreads();
    if (threadIdx.x == 0 &&
        atomicCAS_block(&count, blockDim.x, 7u) == blockDim.x &&
        most == (int)blockDim.x - 1) {
        __threadfence_system();
        atomicAdd_system(out, total);
    }
}
