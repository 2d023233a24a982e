// launch: block=64 shared=512
// launch: block=256 shared=2048
// launch-ok: n=1000 block=1 shared=16
/* No barrier after the load; the words are doubles. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ double s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0;
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride]; // expect: race
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, (float)s[0]);
}
