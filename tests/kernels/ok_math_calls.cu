// expect: ok
#include <math.h>

/* Library functions, which each compiler builds in its own way from
   instructions. */
__device__ bool close_to(double a, double b)
{
    return fabs(a - b) <= 1e-5 * fabs(b) + 1e-6;
}

__device__ bool holds(float x)
{
    double d = x;
    bool ok = close_to(expf(logf(x)), x) && close_to(exp(log(d)), d) &&
              close_to(log10f(1000.0f), 3.0);

    ok = ok && close_to(sinf(x) * sinf(x) + cosf(x) * cosf(x), 1.0) &&
         close_to(sin(d) * sin(d) + cos(d) * cos(d), 1.0);
    ok = ok && close_to(powf(x, 2.0f), x * x) &&
         close_to(pow(d, -1.0), 1.0 / d) && close_to(tanhf(0.5f), 0.46211716);
    ok = ok && close_to(log1pf(expm1f(0.01f)), 0.01) &&
         close_to(hypotf(3.0f, 4.0f), 5.0) && close_to(cbrtf(27.0f), 3.0);
    ok = ok && fmodf(7.5f, 2.0f) == 1.5f && ldexpf(1.5f, 4) == 24.0f &&
         expf(-200.0f) == 0.0f && isinf(expf(100.0f));
    return ok;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && holds(0.5f + (float)(i % 331) / 32.0f))
        atomicAdd(out, in[i]);
}
