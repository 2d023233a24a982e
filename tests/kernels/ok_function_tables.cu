// expect: ok
// launch: n=1000 block=96 grid=2
// launch: block=256
/* Functions that only a table in memory names: an array of pointers, and the
   virtual functions of a struct that no compiler can guess. */
#include <new>

typedef float (*op_t)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float sub(float a, float b) { return a - b; }
__device__ op_t ops[2] = {add, sub};
__constant__ op_t *const table = ops;

struct part {
    __device__ virtual float of(float x) const = 0;
};
struct half : part {
    __device__ float of(float x) const override { return 0.5f * x; }
};
struct whole : part {
    __device__ float of(float x) const override { return x; }
};

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    double place[2];
    const part *p;
    if (threadIdx.x % 2)
        p = new (place) half;
    else
        p = new (place) whole;
    float x = 0.0f, scale = threadIdx.x % 2 ? 2.0f : -1.0f;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        x = table[1 - threadIdx.x % 2](x, p->of(scale * in[i]));
    atomicAdd(out, x);
}
