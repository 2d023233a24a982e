// launch: block=64
// launch: block=256
// launch-ok: n=1000 block=1
/* All threads store to one word, each another value. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float last;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    last = i < n ? in[i] : 0.0f; // expect: race
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, last);
}
