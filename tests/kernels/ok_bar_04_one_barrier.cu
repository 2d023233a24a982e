// expect: ok
// launch: block=64
// launch: block=32
/* One barrier after both sides of the if. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    float sum = tid < 32 ? s[tid] : 2.0f * s[tid];
    __syncthreads();
    sum -= tid < 32 ? 0.0f : s[tid];
    atomicAdd(out, sum);
}
