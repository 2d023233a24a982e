// expect: ok
// launch: n=300 block=64 grid=2
/* Each lane spins for one lock and adds to a plain word while it holds it.
 * Lanes of one warp wait for each other: it ends only because each lane makes
 * progress on its own (Volta and later). */
__device__ unsigned int lock;

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    volatile float *total = out;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        while (atomicCAS(&lock, 0u, 1u) != 0u) {
        }
        __threadfence();
        *total = *total + in[i];
        __threadfence();
        atomicExch(&lock, 0u);
    }
}
