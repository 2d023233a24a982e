// expect: wrong
// data: random integers
// launch: n=1024 block=256 grid=4
// launch: n=1000 block=64 grid=3
/* The step is the number of blocks and not of threads: elements count
   several times. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x)
        sum += in[i];
    atomicAdd(out, sum);
}
