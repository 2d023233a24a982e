// expect: ok
// launch: n=1000 block=64 grid=16 offset=1
// launch: n=1000 block=64 grid=16
/* Vectors only where the pointer allows them. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if ((size_t)in % 16 == 0 && n % 4 == 0) {
        if (i < n / 4) {
            float4 v = ((const float4 *)in)[i];
            atomicAdd(out, (v.x + v.y) + (v.z + v.w));
        }
    } else if (i < n) {
        atomicAdd(out, in[i]);
    }
}
