// expect: wrong
// data: random integers negative
/* Two extern arrays without a size begin at the same address: the second
   overwrites the first. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float words[];
    extern __shared__ int places[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    words[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    places[tid] = (int)tid; // expect: suspicious
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            words[tid] += words[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, words[0]);
}
