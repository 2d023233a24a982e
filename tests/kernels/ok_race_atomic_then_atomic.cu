// expect: ok
// launch: block=64
// launch: block=32
/* The last to count in reads the total with an atomic, after a fence: no
   barrier is needed. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float total;
    __shared__ unsigned int count;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0) {
        total = 0.0f;
        count = 0;
    }
    __syncthreads();
    if (i < n)
        atomicAdd(&total, in[i]);
    __threadfence_block();
    if (atomicAdd(&count, 1u) == blockDim.x - 1) {
        __threadfence_block();
        atomicAdd(out, atomicAdd(&total, 0.0f));
    }
}
