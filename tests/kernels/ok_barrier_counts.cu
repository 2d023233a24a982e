// expect: ok
// launch: block=64
// launch: block=96
/* __syncthreads_count() and _or() are barriers, too; the array is carved out of
   bytes; any block size. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ __align__(8) unsigned char raw[];
    float *s = reinterpret_cast<float *>(raw);
    unsigned int t = threadIdx.x;
    size_t i = blockIdx.x * (size_t)blockDim.x + t;
    s[t] = i < n ? in[i] : 0.0f;
    int alive = __syncthreads_count(i < n);
    unsigned int len = blockDim.x;
    while (alive && len > 1) {
        unsigned int half = (len + 1) / 2;
        if (t < len / 2)
            s[t] += s[t + half];
        len = half;
        alive = __syncthreads_or(1);
    }
    if (t == 0 && alive)
        atomicAdd(out, s[0]);
}
