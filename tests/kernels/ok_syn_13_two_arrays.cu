// expect: ok
// data: random integers
// launch: block=256 shared=2048
// launch: block=32 shared=256
/* Two arrays in one piece of dynamic shared memory: the second begins where
   the first ends. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    int *places = (int *)(s + blockDim.x);
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    places[tid] = (int)tid;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            s[tid] += s[tid + stride];
            places[tid] += places[tid + stride];
        }
        __syncthreads();
    }
    if (tid == 0 && places[0] == (int)(blockDim.x * (blockDim.x - 1) / 2))
        atomicAdd(out, s[0]);
}
