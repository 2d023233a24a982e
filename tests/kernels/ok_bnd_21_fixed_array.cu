// expect: ok
// launch: block=512 shared=0
// launch: block=1024 shared=0
/* Room for the largest block. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[1024];
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
