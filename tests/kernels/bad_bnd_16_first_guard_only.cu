// launch: n=2648 block=256 grid=3
// launch: n=100 block=32 grid=1
// launch-ok: n=4096 block=256 grid=4
/* Four loads, and the guard of the second stands for the third and fourth. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x * 4 + threadIdx.x;
    size_t b = blockDim.x;
    float sum = i < n ? in[i] : 0.0f;

    if (i + b < n) {
        sum += in[i + b];
        sum += in[i + 2 * b]; // may: out-of-bounds
        sum += in[i + 3 * b]; // expect: out-of-bounds
    }
    atomicAdd(out, sum); // may: uninitialized
}
