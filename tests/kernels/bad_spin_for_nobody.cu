// launch: n=1000 block=64 budget=400000
// launch: n=1000 block=32 grid=1 budget=400000
/* Thread 0 waits for a flag that nobody sets. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ volatile int ready;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(out, in[i]);
    if (threadIdx.x == 0)
        while (ready == 0) { // expect: no-progress
        }
}
