// launch: block=64
// launch: block=512
// launch-ok: n=1000 block=1
/* The interleaved tree without the barrier after the load. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        if (tid % (2 * stride) == 0)
            s[tid] += s[tid + stride]; // expect: race
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
