// launch: block=64
// launch: block=256
// launch-ok: n=1000 block=1
/* Two extern arrays without a size are one: thread t counts in words that
   another thread fills with elements. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    extern __shared__ unsigned int places[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    places[blockDim.x - 1 - tid] = tid;
    s[tid] = i < n ? in[i] : 0.0f; // expect: race suspicious?
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
