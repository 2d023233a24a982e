// expect: wrong
// launch: block=256
// launch: n=64 block=32 grid=2
// launch-ok: n=1000 block=1
/* volatile makes every access happen; it does not make a load, an add and a
   store one step. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float total;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0)
        total = 0.0f;
    __syncthreads();
    if (i < n)
        *(volatile float *)&total += in[i]; // expect: race
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, total);
}
