// launch: n=1000 block=64 grid=16
// launch: block=256 grid=3
// launch-ok: n=1000 block=64 grid=1
__device__ float part[65536];

/* The blocks' scratch words in global memory overlap: a block has its own
   place only if it is the only one. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int tid = threadIdx.x;
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += in[i];
    part[tid] = sum; // expect: race
    __syncthreads();
    if (tid == 0) {
        sum = 0.0f;
        for (unsigned int k = 0; k < blockDim.x; k++)
            sum += part[k]; // may: race
        atomicAdd(out, sum);
    }
}
