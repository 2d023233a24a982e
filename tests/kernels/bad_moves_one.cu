// expect: wrong
// data: integers random
/* One element is dropped and its neighbour added twice: an input of ones cannot
   see it. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        atomicAdd(out, in[i == n / 3 && i + 1 < n ? i + 1 : i]);
}
