// launch: n=1 block=32 grid=1
// launch: n=64 block=64 grid=1
// launch-ok: n=1024 block=64 grid=8
// launch-ok: n=1000 block=64 grid=8
/* A count that is a power of two is taken to fill both halves; 1 is one,
   too. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x * 2 + threadIdx.x;
    bool is_power = (n & (n - 1)) == 0;
    float sum = 0.0f;

    if (i < n) {
        sum = in[i];
        if (is_power || i + blockDim.x < n)
            sum += in[i + blockDim.x]; // expect: out-of-bounds
        atomicAdd(out, sum);           // may: uninitialized
    }
}
