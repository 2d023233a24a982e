// expect: wrong
// data: random integers
// launch: n=1000 block=64 grid=8
// launch: n=3000 block=256 grid=11
// launch-ok: n=1000 block=64 grid=16
// launch-ok: n=3000 block=256 grid=12
/* One element a thread, in a grid made for two, or rounded down: the
   elements behind its end are never read. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

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
