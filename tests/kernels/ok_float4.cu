// expect: ok
// launch: block=128 grid=5
// launch: block=128 grid=5 offset=1
// launch: n=1 block=32 offset=3
// launch: n=4099 block=64 grid=2 offset=2
/* 16-byte loads from the first aligned element on; up to three single elements
   before and after them. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t head = (0 - (size_t)in / 4) % 4;
    float sum = 0.0f;

    if (head > n)
        head = n;
    const float4 *body = (const float4 *)(in + head);
    size_t quads = (n - head) / 4, tail = head + 4 * quads;

    for (size_t q = t; q < quads; q += threads) {
        float4 v = body[q];
        sum += (v.x + v.y) + (v.z + v.w);
    }
    if (t < head)
        sum += in[t];
    if (t < n - tail)
        sum += in[tail + t];
    atomicAdd(out, sum);
}
