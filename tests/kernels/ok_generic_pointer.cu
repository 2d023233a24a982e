// expect: ok
/* One pointer that is local, shared, global or constant memory, as the lane
   decides: generic loads, stores, atomics. */
__constant__ float zeros[4] = {0.0f, 0.0f, 0.0f, 0.0f};

__device__ __noinline__ float read(const float *p)
{
    return *p;
}

__device__ __noinline__ void give(float *p, float x)
{
    atomicAdd(p, x);
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[1024];
    __shared__ float total;
    float mine[4];
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int tid = threadIdx.x;
    float x = i < n ? in[i] : 0.0f;

    s[tid] = x;
    for (int k = 0; k < 4; k++)
        mine[k] = x;
    if (tid == 0)
        total = 0.0f;
    __syncthreads();
    const float *p = i >= n         ? zeros + tid % 4
                     : tid % 3 == 0 ? in + i
                     : tid % 3 == 1 ? s + tid
                                    : mine + tid % 4;
    give(tid % 2 == 0 ? out : &total, read(p));
    __syncthreads();
    if (tid == 0)
        give(out, total);
}
