// expect: ok
// launch: block=1024
// launch: n=960 block=96 grid=10
// launch: block=64
/* A case for each usual size of block, and a loop for all others. */
template <unsigned int threads> __device__ float fold(float *s)
{
    for (unsigned int stride = threads / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride)
            s[threadIdx.x] += s[threadIdx.x + stride];
        __syncthreads();
    }
    return s[0];
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    float sum = 0.0f;
    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    switch (blockDim.x) {
    case 1024: sum = fold<1024>(s); break;
    case 512: sum = fold<512>(s); break;
    case 256: sum = fold<256>(s); break;
    case 128: sum = fold<128>(s); break;
    case 64: sum = fold<64>(s); break;
    case 32: sum = fold<32>(s); break;
    default:
        for (unsigned int k = 0; k < blockDim.x; k++)
            sum += s[k];
    }
    if (tid == 0)
        atomicAdd(out, sum);
}
