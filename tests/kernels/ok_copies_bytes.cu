// expect: ok
// launch: n=1000 block=96 grid=2
// launch: n=1003 block=64 grid=1 offset=1
/* memcpy() and memset(), also of a number of bytes that nobody knows before;
   a managed variable. */
struct four {
    float v[4];
};
__managed__ unsigned int rounds;

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float sum = 0.0f;
    size_t i = 4 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
    for (; i < n; i += 4 * (size_t)gridDim.x * blockDim.x) {
        four f, g;
        size_t count = n - i < 4 ? n - i : 4;
        memset(&f, 0, sizeof f);
        memcpy(&f, in + i, count * sizeof(float));
        memcpy(&g, &f, sizeof g);
        sum += (g.v[0] + g.v[1]) + (g.v[2] + g.v[3]);
        atomicAdd(&rounds, 1u);
    }
    atomicAdd(out, sum);
}
