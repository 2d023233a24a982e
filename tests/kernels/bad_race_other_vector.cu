// launch: n=1000 block=64 grid=1
__device__ float4 scale4;

/* As ok_race_same_vector, but the last of the four words depends on the
   thread. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float4 *place = &scale4;
    float last = (float)threadIdx.x;
    asm volatile("st.v4.f32 [%0], {%1, %1, %1, %2};" ::"l"(place), "f"(1.0f), "f"(last) : "memory"); // expect: race
    __syncthreads();
    float sum = 0.0f;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i];
    atomicAdd(out, scale4.w < 64.0f ? sum : 0.0f);
}
