// expect: wrong
// data: integers
// launch: block=64
// launch-ok: n=1000 block=1
/* The same with a whole number, which looks like a flag to nobody: a plain
   update of one word by all threads. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ int total;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    if (i < n)
        total = total + (int)in[i]; // expect: race
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, (float)total);
}
