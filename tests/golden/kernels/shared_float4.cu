/* Shared memory in 16-byte pieces: a warp's access goes in quarters. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float4 s[512];
    unsigned int tid = threadIdx.x;
    size_t i = ((size_t)blockIdx.x * blockDim.x + tid) * 4;
    float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
    if (i + 3 < n)
        v = *(const float4 *)(in + i);
    s[tid] = v;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (tid < stride) {
            float4 a = s[tid], b = s[tid + stride];
            a.x += b.x;
            a.y += b.y;
            a.z += b.z;
            a.w += b.w;
            s[tid] = a;
        }
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, (s[0].x + s[0].y) + (s[0].z + s[0].w));
}
