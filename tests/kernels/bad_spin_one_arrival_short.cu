// launch: n=1000 block=64 grid=4 budget=400000
// launch: n=1000 block=64 grid=1 budget=400000
__device__ volatile unsigned int arrived;

/* All blocks wait until one more has come than there are. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        atomicAdd(out, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd((unsigned int *)&arrived, 1u);
        while (arrived <= gridDim.x) { // expect: no-progress
        }
    }
}
