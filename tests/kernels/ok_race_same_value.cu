// expect: ok
// launch: block=64
// launch: n=1000 block=256
/* All threads store the same value to one word of shared memory, and it is
   read after a barrier. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ unsigned int last;
    size_t first = (size_t)blockIdx.x * blockDim.x;

    last = (unsigned int)min(n - min(first, n), (size_t)blockDim.x);
    __syncthreads();
    if (threadIdx.x < last)
        atomicAdd(out, in[first + threadIdx.x]);
}
