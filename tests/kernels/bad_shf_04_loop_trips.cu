// launch: n=1000 block=32 grid=2
// launch: n=100003 block=64 grid=5
// launch-ok: n=1024 block=32 grid=2
/* A full mask in a loop that some lanes leave one round before the others,
   for a barrier. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        float x = in[i];
        for (int d = 16; d > 0; d /= 2)
            x += __shfl_xor_sync(0xffffffffu, x, d); // expect: bad-sync-mask
        sum += x;                                    // may: uninitialized
    }
    __syncthreads(); // may: no-progress barrier-divergence
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum); // may: uninitialized
}
