// launch: n=128 block=64 budget=200000
// launch-ok: n=1000 block=1
/* Half of 1 is 0, so the step stays 1 for ever. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0;
         stride -= stride / 2) {
        if (tid < stride)
            s[tid] += s[tid + stride]; // may: no-progress
        __syncthreads();               // expect: no-progress
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
