// launch: block=64
// launch: block=32
// launch-ok: n=1000 block=1
/* Thread 0 zeroes the total, and others may have added to it before. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float total;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0)
        total = 0.0f;
    if (i < n)
        atomicAdd(&total, in[i]); // expect: race
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, total);
}
