/* The first half plus the second, four elements a thread. */
__device__ float4 both[1 << 20];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t quarter = n / 8, i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const float4 *first = (const float4 *)in;
    if (i < quarter) {
        float4 a = first[i], b = first[i + quarter];
        both[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
        if (i == 0)
            *out = a.x + b.x;
    }
}
