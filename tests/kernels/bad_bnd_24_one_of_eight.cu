// expect: wrong
// launch: n=4096 block=64 grid=8
// launch: n=1000 block=32 grid=4
// launch-ok: n=64 block=64 grid=1
/* A grid for eight elements a thread, and a body that adds one. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x * 8 + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;

    atomicAdd(out, sum);
}
