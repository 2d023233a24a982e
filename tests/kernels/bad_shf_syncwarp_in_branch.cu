// launch: block=64
// launch: block=256
/* __syncwarp() in the narrowing branch: half of the warp waits there for the
   other half, which waits behind it. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid < 32)
        s[tid] += s[tid + 32];
    __syncwarp();
    for (unsigned int d = 16; d > 0; d /= 2)
        if (tid < d) {
            s[tid] += s[tid + d]; // may: race
            __syncwarp();         // expect: bad-sync-mask
        }
    __syncthreads(); // may: no-progress barrier-divergence
    if (tid == 0)
        atomicAdd(out, s[0]);
}
