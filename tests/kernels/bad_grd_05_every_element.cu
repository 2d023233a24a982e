// launch: block=64
// launch: block=32
// launch-ok: n=1000 block=2
/* Every thread adds its neighbour in place, also those whose sum nobody
   needs: the neighbour's word changes in the same step. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int d = 1; d < blockDim.x; d *= 2) {
        if (tid + d < blockDim.x)
            s[tid] += s[tid + d]; // expect: race
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
