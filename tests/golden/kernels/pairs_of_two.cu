/* 8-byte loads, of which every other pair is left out: half of each sector is
 * wasted. Four loads on the way, many accumulators. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    const float2 *pairs = (const float2 *)in;
    size_t count = n / 4; // pairs that are taken
    size_t stride = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
    for (; i + 3 * stride < count; i += 4 * stride) {
        float2 p = pairs[2 * i], q = pairs[2 * (i + stride)];
        float2 r = pairs[2 * (i + 2 * stride)];
        float2 s = pairs[2 * (i + 3 * stride)];
        a += p.x * p.y;
        b += q.x * q.y;
        c += r.x * r.y;
        d += s.x * s.y;
    }
    for (; i < count; i += stride)
        a += pairs[2 * i].x * pairs[2 * i].y;
    a = (a + b) + (c + d);
    for (int distance = 16; distance > 0; distance /= 2)
        a += __shfl_down_sync(0xffffffffu, a, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, a);
}
