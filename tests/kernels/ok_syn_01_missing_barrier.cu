// expect: ok
// launch: block=64
// launch: block=256
// launch: block=32
/* The barrier after the load is there; the one before thread 0 reads the
   word that it wrote itself is not needed. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (tid < stride)
            s[tid] += s[tid + stride];
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
