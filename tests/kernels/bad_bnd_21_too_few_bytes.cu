// launch: block=256 shared=0
// launch: block=256 shared=256
// launch: block=256 shared=1020
// launch-ok: block=256 shared=1024
/* The launch gives no dynamic shared memory, or counts it in elements where
   bytes are meant. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f; // expect: out-of-bounds
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride]; // may: out-of-bounds
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]); // may: out-of-bounds
}
