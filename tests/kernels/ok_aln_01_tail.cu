// expect: ok
// launch: n=1001 block=64 grid=4
// launch: n=3 block=32 grid=1
// launch: n=1002 block=256 grid=1
// launch: n=1003 block=256 grid=1
/* Four elements at a time, and the one to three that are left one by one. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    const float4 *quads = (const float4 *)in;
    size_t q = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (q < n / 4) {
        float4 v = quads[q];
        atomicAdd(out, (v.x + v.y) + (v.z + v.w));
    }
    if (q < n % 4)
        atomicAdd(out, in[n / 4 * 4 + q]);
}
