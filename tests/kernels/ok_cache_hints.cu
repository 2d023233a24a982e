// expect: ok
/* Loads and stores with a cache hint, plain and in vectors. */
__device__ float scratch[4096];
__device__ float4 quads[4096];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int k = threadIdx.x + (blockIdx.x % 4) * 1024;

    if (i >= n)
        return;
    float x = 0.25f * __ldg(in + i) + 0.25f * __ldcg(in + i) +
              0.25f * __ldcs(in + i) + 0.25f * __ldca(in + i);
    if (gridDim.x <= 4) {
        __stcg(&scratch[k], x);
        x = __ldcv(&scratch[k]);
        __stwt(&quads[k], make_float4(x, x, x, x));
        float4 q = __ldcg(&quads[k]);
        x = gridDim.x == 1 ? q.w : x;
    }
    atomicAdd(out, x);
}
