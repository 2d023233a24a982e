// expect: ok
// launch: block=64
// launch: block=256
// launch: block=64 grid=3
/* A barrier in a branch that all threads of a block take, or none. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t first = (size_t)blockIdx.x * blockDim.x;
    float sum = 0.0f;

    for (; first < n; first += (size_t)gridDim.x * blockDim.x) {
        size_t i = first + tid;

        s[tid] = i < n ? in[i] : 0.0f;
        if (first + blockDim.x <= n) {
            __syncthreads();
            sum += s[blockDim.x - 1 - tid];
            __syncthreads();
        } else {
            sum += s[tid];
        }
    }
    atomicAdd(out, sum);
}
