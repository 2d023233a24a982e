// launch: n=1023 block=256
// launch: n=1000 block=64
// launch-ok: n=1024 block=256
/* <= where < belongs: one element past the end. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float x = 0.0f;

    if (i <= n)
        x = in[i];     // expect: out-of-bounds
    atomicAdd(out, x); // may: uninitialized
}
