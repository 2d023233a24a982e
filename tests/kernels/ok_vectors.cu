// expect: ok
/* Vectors of 2 and 4 in shared memory, bytes and 64-bit pairs among them. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float4 quads[256];
    __shared__ float2 pairs[256];
    __shared__ ulonglong2 wide[256];
    __shared__ uchar4 bytes[256];
    unsigned int tid = threadIdx.x, other = blockDim.x - 1 - tid;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    float x = i < n ? in[i] : 0.0f;
    unsigned int bits = __float_as_uint(x);

    quads[tid] = make_float4(x, 2.0f * x, 4.0f * x, -8.0f * x);
    pairs[tid] = make_float2(x, -x);
    wide[tid] = make_ulonglong2(bits, (unsigned long long)bits << 32);
    bytes[tid] =
        make_uchar4(bits & 255, bits >> 8 & 255, bits >> 16 & 255, bits >> 24);
    __syncthreads();
    float4 q = quads[other];
    float2 p = pairs[other];
    ulonglong2 w = wide[other];
    uchar4 b = bytes[other];
    unsigned int again = b.x | b.y << 8 | b.z << 16 | (unsigned int)b.w << 24;
    float y = __uint_as_float(again);
    if (w.x == again && w.y >> 32 == again)
        atomicAdd(out, (q.x + q.y + q.z + q.w) + (p.x + p.y) + 2.0f * y);
}
