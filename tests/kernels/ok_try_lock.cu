// expect: ok
// launch: n=300 block=64 grid=2
/* The form of a spin lock that also works in lock step: take, work and release
   are in one pass of the loop. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ int lock;
    __shared__ float total;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0) {
        lock = 0;
        total = 0.0f;
    }
    __syncthreads();
    for (; i < n; i += (size_t)gridDim.x * blockDim.x) {
        bool done = false;
        while (!done) {
            if (atomicCAS(&lock, 0, 1) == 0) {
                volatile float *v = &total;
                *v = *v + in[i];
                __threadfence_block();
                atomicExch(&lock, 0);
                done = true;
            }
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, total);
}
