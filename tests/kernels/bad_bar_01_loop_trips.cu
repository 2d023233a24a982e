// launch: n=1000 block=64 grid=4
// launch: n=100003 block=256 grid=8
// launch-ok: n=1024 block=64 grid=4
/* A barrier in a loop that some threads of the last block run once less. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        s[tid] = in[i];
        __syncthreads(); // expect: barrier-divergence
        sum += s[tid];
    }
    atomicAdd(out, sum);
}
