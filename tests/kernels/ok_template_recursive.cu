// expect: ok
// launch: block=128
/* Functor, lambda, and a tree that unrolls itself while it is compiled. */
struct plus {
    __device__ float operator()(float a, float b) const
    {
        return a + b;
    }
};
template <int D, typename Op> struct folder {
    __device__ static void run(float *s, unsigned int t, Op op)
    {
        __syncthreads();
        if (t < D)
            s[t] = op(s[t], s[t + D]);
        folder<D / 2, Op>::run(s, t, op);
    }
};
template <typename Op> struct folder<0, Op> {
    __device__ static void run(float *, unsigned int, Op)
    {
    }
};

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[128];
    unsigned int t = threadIdx.x;
    float x = 0;
    auto load = [&](size_t i) { return i < n ? in[i] : 0.0f; };
    for (size_t i = blockIdx.x * (size_t)blockDim.x + t; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        x += load(i);
    s[t] = x;
    folder<64, plus>::run(s, t, plus());
    if (!t)
        atomicAdd(out, s[0]);
}
