// expect: ok
// launch: n=1000 block=64 grid=1
/* Every thread stores the same float4 and float2 to one place, in global and in
   shared memory: whoever is last, the same bytes stay. */
__device__ float4 scale4;

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float2 scale2;
    scale4 = make_float4(1.0f, 2.0f, 3.0f, 0.5f);
    scale2 = make_float2(2.0f, 0.5f);
    __syncthreads();
    float sum = 0.0f;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += in[i];
    atomicAdd(out, sum * scale2.x * scale2.y * scale4.x);
}
