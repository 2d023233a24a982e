// launch: block=256
// launch: n=1000 block=64 grid=2
// launch-ok: n=256 block=256 grid=1
/* Every block zeroes the result before it adds, the later ones over what the
   earlier ones added. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    if (tid == 0)
        *out = 0.0f; // expect: race
    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
