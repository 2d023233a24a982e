// expect: ok
// data: random integers
// launch: n=1024 block=256 grid=4
// launch: n=1000 block=64 grid=3
// launch: block=256 grid=1
/* Two loads a round and twice the step. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += 2 * threads) {
        sum += in[i];
        if (i + threads < n)
            sum += in[i + threads];
    }
    atomicAdd(out, sum);
}
