// launch: n=100 block=32 grid=4
// launch: n=64 block=1 grid=4
__device__ unsigned int lock;

/* A lock of a compare-and-swap and a plain store to give it back, without
   fences. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        while (atomicCAS(&lock, 0u, 1u) != 0u) {
        }
        *out = *out + in[i]; // expect: race
        atomicExch(&lock, 0u);
    }
}
