// launch: n=1000 block=256
// launch: n=70 block=64
// launch-ok: n=1024 block=256
/* Threads without an element return, and the tree that follows needs them at
   its barriers and reads their words. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    if (i >= n)
        return; // may: barrier-divergence
    s[tid] = in[i];
    __syncthreads(); // expect: barrier-divergence
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride]; // may: uninitialized
        __syncthreads();               // may: barrier-divergence
    }
    if (tid == 0)
        atomicAdd(out, s[0]); // may: uninitialized
}
