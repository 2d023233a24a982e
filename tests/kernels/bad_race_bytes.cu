// launch: block=64 shared=256
// launch: block=256 shared=1024
/* No barrier after the load; four threads' bytes share a word, and only
   equal bytes are a conflict. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ unsigned char s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n && in[i] > 0.0f;
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] |= s[tid + stride]; // expect: race
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0] != 0 ? 0.0f : 1.0f);
}
