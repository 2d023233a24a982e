// launch: block=64 grid=4
// launch: n=1000 block=32 grid=2
// launch-ok: n=1000 block=64 grid=16
/* The tile is filled again while others still read the one before. With one
   tile a block nothing is filled again. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    float sum = 0.0f;

    for (size_t base = (size_t)blockIdx.x * blockDim.x; base < n;
         base += (size_t)gridDim.x * blockDim.x) {
        s[tid] = base + tid < n ? in[base + tid] : 0.0f; // expect: race
        __syncthreads();
        sum += s[blockDim.x - 1 - tid];
    }
    atomicAdd(out, sum);
}
