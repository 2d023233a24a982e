// data: integers
// launch: block=64 shared=256
// launch: block=256 shared=1024
// launch-ok: n=1000 block=1 shared=16
/* No barrier after the load; the words are ints. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ int s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? (int)in[i] : 0;
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride]; // expect: race
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, (float)s[0]);
}
