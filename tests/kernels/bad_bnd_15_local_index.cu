// launch: n=1000 block=256
// launch: n=1000 block=128 grid=9
// launch-ok: n=1024 block=256
/* The guard looks at the thread's place in its block and not in the grid. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    float x = 0.0f;

    if (tid < n)
        x = in[i];     // expect: out-of-bounds
    atomicAdd(out, x); // may: uninitialized
}
