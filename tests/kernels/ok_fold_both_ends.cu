// expect: ok
// launch: block=256
// launch: block=96
// launch: block=100
// launch: n=1000 block=1
/* Folds the array like a ribbon, first word onto last. Rounding half up keeps
   the middle word of an odd count. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float d[];
    unsigned int t = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + t;

    d[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int count = blockDim.x; count > 1; count = (count + 1) / 2) {
        if (t < count / 2)
            d[t] += d[count - 1 - t];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(out, d[0]);
}
