// launch: n=1024 block=64
// launch: n=100000 block=256
/* __activemask() says who happens to run together now, not who takes the
   branch. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        float x = in[i];
        for (int d = 16; d > 0; d /= 2)
            x += __shfl_down_sync(__activemask(), x, d); // expect: suspicious
        if (threadIdx.x % 32 == 0)
            atomicAdd(out, x);
    }
}
