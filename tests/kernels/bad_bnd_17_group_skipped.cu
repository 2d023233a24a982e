// expect: wrong
// launch: n=1900 block=256 grid=2
// launch: n=3948 block=256 grid=4
// launch-ok: n=4096 block=256 grid=4
/* Where the last of four elements is missing, the second and third are left
   out, too. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x * 4 + threadIdx.x;
    size_t b = blockDim.x;
    float sum = i < n ? in[i] : 0.0f;

    if (i + 3 * b < n)
        sum += in[i + b] + in[i + 2 * b] + in[i + 3 * b];
    atomicAdd(out, sum);
}
