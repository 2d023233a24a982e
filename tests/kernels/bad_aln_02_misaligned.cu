// launch: n=1000 block=64 grid=4 offset=1
// launch: n=1000 block=64 grid=4 offset=2
// launch: n=999 block=256 grid=1 offset=3
// launch-ok: n=1000 block=64 grid=4
// launch-ok: n=1000 block=64 grid=4 offset=4
/* A float4 must lie at a multiple of 16 bytes; the input may begin anywhere. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    const float4 *quads = (const float4 *)in;
    size_t q = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (q < n / 4) {
        float4 v = quads[q];                       // expect: misaligned
        atomicAdd(out, (v.x + v.y) + (v.z + v.w)); // may: uninitialized
    }
    if (q < n % 4)
        atomicAdd(out, in[n / 4 * 4 + q]);
}
