// launch: block=64
// launch: block=32
// launch-ok: n=1000 block=1
/* Atomics are safe among themselves; a plain read beside them is not. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float total;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0)
        total = 0.0f;
    __syncthreads();
    if (i < n)
        atomicAdd(&total, in[i]);
    if (threadIdx.x == 0)
        atomicAdd(out, total); // expect: race
}
