// launch: n=1000 block=64
// launch: n=1000 block=64 offset=1
// launch: n=1000 block=64 offset=3
// launch-ok: n=0 block=64 grid=1
/* Each thread takes the element before its own; the first one has none. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        atomicAdd(out, in[i - 1]); // expect: out-of-bounds
}
