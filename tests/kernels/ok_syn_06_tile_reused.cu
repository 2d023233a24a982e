// expect: ok
// launch: block=64 grid=4
// launch: n=1000 block=32 grid=2
/* A barrier before the tile is filled again. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    float sum = 0.0f;

    for (size_t base = (size_t)blockIdx.x * blockDim.x; base < n;
         base += (size_t)gridDim.x * blockDim.x) {
        s[tid] = base + tid < n ? in[base + tid] : 0.0f;
        __syncthreads();
        sum += s[blockDim.x - 1 - tid];
        __syncthreads();
    }
    atomicAdd(out, sum);
}
