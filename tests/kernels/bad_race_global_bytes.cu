// launch: n=1000 block=64
// launch: n=10 block=32
__device__ unsigned char negative[1024];

/* Each thread keeps one byte in global memory and reads that of the next
   thread. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t next = i + 1 < (size_t)gridDim.x * blockDim.x ? i + 1 : 0;
    float x = i < n ? in[i] : 0.0f;

    negative[i] = x < 0.0f;
    if (negative[next] < 2) // expect: race
        atomicAdd(out, x);
}
