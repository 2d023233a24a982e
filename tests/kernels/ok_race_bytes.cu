// expect: ok
// launch: block=64
// launch: block=256
/* Bytes of one word written by four threads at once: no two of them touch
   one byte. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ unsigned char has[1024];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    has[tid] = i < n;
    __syncthreads();
    if (has[blockDim.x - 1 - tid] != 0) {
        size_t j = (size_t)blockIdx.x * blockDim.x + (blockDim.x - 1 - tid);
        atomicAdd(out, in[j]);
    }
}
