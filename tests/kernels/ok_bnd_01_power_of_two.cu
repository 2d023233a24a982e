// expect: ok
// launch: n=1 block=32 grid=1
// launch: n=64 block=64 grid=1
// launch: n=1024 block=64 grid=8
// launch: n=1000 block=64 grid=8
/* The short cut for powers of two, where there are enough elements for it. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x * 2 + threadIdx.x;
    bool is_full = (n & (n - 1)) == 0 && n >= 2 * blockDim.x;
    float sum = 0.0f;

    if (i < n) {
        sum = in[i];
        if (is_full || i + blockDim.x < n)
            sum += in[i + blockDim.x];
        atomicAdd(out, sum);
    }
}
