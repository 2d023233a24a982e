// launch: block=256
// launch: n=1000 block=64 grid=2
// launch-ok: n=256 block=256 grid=1
/* Block 0 zeroes the result, and __syncthreads() waits for nobody outside a
   block: what others added before is lost. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    if (blockIdx.x == 0 && tid == 0)
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
