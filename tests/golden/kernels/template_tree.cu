/* A tree whose rounds are written out for the block's size, as a template; four
 * elements a thread. */
template <unsigned int BLOCK> __device__ float tree(float *s, unsigned int tid)
{
    if (BLOCK >= 1024) {
        if (tid < 512)
            s[tid] += s[tid + 512];
        __syncthreads();
    }
    if (BLOCK >= 512) {
        if (tid < 256)
            s[tid] += s[tid + 256];
        __syncthreads();
    }
    if (BLOCK >= 256) {
        if (tid < 128)
            s[tid] += s[tid + 128];
        __syncthreads();
    }
    if (BLOCK >= 128) {
        if (tid < 64)
            s[tid] += s[tid + 64];
        __syncthreads();
    }
    float x = 0.0f;
    if (tid < 32) {
        x = s[tid] + s[tid + 32];
#pragma unroll
        for (int distance = 16; distance > 0; distance /= 2)
            x += __shfl_down_sync(0xffffffffu, x, distance);
    }
    return x;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[1024];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x * 4 + tid;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 4; k++, i += blockDim.x)
        sum += i < n ? in[i] : 0.0f;
    s[tid] = sum;
    __syncthreads();
    switch (blockDim.x) {
    case 1024: sum = tree<1024>(s, tid); break;
    case 512: sum = tree<512>(s, tid); break;
    case 256: sum = tree<256>(s, tid); break;
    case 128: sum = tree<128>(s, tid); break;
    default: sum = tree<64>(s, tid); break;
    }
    if (tid == 0)
        atomicAdd(out, sum);
}
