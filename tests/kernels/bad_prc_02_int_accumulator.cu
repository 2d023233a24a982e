// expect: wrong
// launch: block=64 grid=4
// launch: n=1000 block=256 grid=1
/* The type of the sum comes from an initial 0, which is an int: every
   addition loses the fraction. */
template <typename T> __device__ T add_up(const float *in, size_t n, T sum)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += in[i]; // expect: suspicious
    return sum;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float sum = add_up(in, n, 0);

    atomicAdd(out, sum);
}
