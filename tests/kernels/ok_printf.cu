// expect: ok
/* One thread prints; the sum is right all the same. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i == 0)
        printf("%s: block of %d, n %llu, 0x%x %c %5.2f|%-6d|%e %%\n", "reduce",
               (int)blockDim.x, (unsigned long long)n, 0xbeefu, 'x', 2.5, -42,
               1e-3);
    if (i < n)
        atomicAdd(out, in[i]);
}
