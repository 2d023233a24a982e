// expect: ok
// launch: block=256 shared=1028
/* Static and dynamic shared memory in one kernel, with an odd size and a double
   that needs 8-byte alignment. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    __shared__ char odd[3];
    __shared__ double wide;
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    if (tid < 3)
        odd[tid] = (char)(tid + 1);
    if (tid == 0) {
        wide = 0.0;
        s[blockDim.x] = 0.0f; // the one word more
    }
    __syncthreads();
    if (odd[0] + odd[1] + odd[2] == 6)
        atomicAdd(&wide, (double)s[tid]);
    __syncthreads();
    if (tid == 0)
        atomicAdd(out, (float)wide + s[blockDim.x]);
}
