// expect: ok
// launch: n=1000 block=96
/* Kernels that nobody starts may be what they like. */
__global__ void other(float *x) { x[threadIdx.x] = x[threadIdx.x + 1]; }
extern "C" __global__ void reduce2(const float *in, float *out, size_t n)
{
    for (;;)
        out[n + threadIdx.x] = in[n];
}
__global__ void tensor(float *x)
{
    unsigned a0 = 0, b0 = 0;
    float d0, d1, d2, d3;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};"
                 : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3) : "r"(a0), "r"(b0));
    x[0] = d0 + d1 + d2 + d3;
}
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(out, in[i]);
}
