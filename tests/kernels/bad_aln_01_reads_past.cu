// launch: n=1001 block=64 grid=4
// launch: n=3 block=32 grid=1
// launch: n=1002 block=256 grid=1
// launch-ok: n=1000 block=64 grid=4
/* Four elements at a time, guarded for the first of the four only. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    const float4 *quads = (const float4 *)in;
    size_t q = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (4 * q < n) {
        float4 v = quads[q];                       // expect: out-of-bounds
        atomicAdd(out, (v.x + v.y) + (v.z + v.w)); // may: uninitialized
    }
}
