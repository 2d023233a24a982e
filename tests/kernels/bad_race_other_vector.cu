// launch: n=1000 block=64 grid=1
/* As ok_race_same_vector, but the last of the four words depends on the
   thread. */
__device__ float4 scale4;

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float last = (float)threadIdx.x;
    scale4 = make_float4(1.0f, 2.0f, 3.0f, last); // expect: race
    __syncthreads();
    float sum = 0.0f;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i];
    atomicAdd(out, scale4.w < 64.0f ? sum : 0.0f);
}
