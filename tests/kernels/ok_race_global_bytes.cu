// expect: ok
// launch: n=1000 block=64
__device__ unsigned char negative[1024];

/* Each thread keeps one byte in global memory: those of four threads lie in
   one word. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? in[i] : 0.0f;

    negative[i] = x < 0.0f;
    atomicAdd(out, negative[i] ? -fabsf(x) : fabsf(x));
}
