// expect: ok
// launch: n=5000 block=64
/* Two arrays side by side, used to their last words; a pointer goes to the one
   and the other. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float a[64];
    __shared__ float b[64];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    float *from = a, *to = b;

    a[tid] = i < n ? in[i] : 0.0f;
    for (unsigned int count = blockDim.x; count > 1; count /= 2) {
        __syncthreads();
        if (tid < count / 2)
            to[tid] = from[tid] + from[count - 1 - tid];
        float *next = from;
        from = to;
        to = next;
    }
    if (tid == 0)
        atomicAdd(out, from[0]);
}
