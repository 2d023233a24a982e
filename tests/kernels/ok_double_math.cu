// expect: ok
#include <limits.h>

/* f64 instructions, and the conversions between f64, f32 and whole numbers with
   all four roundings. */
__device__ bool holds(double x)
{
    bool ok = sqrt(x * x) == x && x / x == 1.0 &&
              fma(x, x, -x * x) == __fma_rn(x, x, -(x * x));

    ok = ok && __dadd_rd(x, 1e-18) < __dadd_ru(x, 1e-18) &&
         __ddiv_rd(1.0, 3.0) < __ddiv_ru(1.0, 3.0);
    ok = ok && fmin(x, (double)NAN) == x && fmax(x, 2.0 * x) == 2.0 * x &&
         floor(-x) == -ceil(x) && fabs(-x) == x;
    ok = ok && __double2int_rn(2.5) == 2 && __double2int_ru(2.1) == 3 &&
         __double2int_rd(-2.1) == -3 && __double2int_rz(-2.9) == -2;
    ok = ok && __float2int_rn(3.5f) == 4 && __float2uint_rz(2.9f) == 2u &&
         __float2ll_rd(-0.5f) == -1ll;
    ok = ok && __double2float_rd(x + 1e-12) <= __double2float_ru(x + 1e-12) &&
         (double)(float)0.5 == 0.5;
    ok = ok && __int2float_rn(16777217) == 16777216.0f &&
         __int2float_ru(16777217) == 16777218.0f;
    ok = ok && (long long)(x * 0.0 + 4503599627370496.0) == 1ll << 52 &&
         (unsigned int)(x * 0.0 + 4e9) == 4000000000u;
    /* Out of range means the nearest that fits; NaN as a float means 0. */
    ok = ok && __double2int_rz(x * 3e10) == INT_MAX &&
         __float2uint_rn(-(float)x) == 0u &&
         __float2int_rn((float)(x * NAN)) == 0;
    ok = ok && __double2hiint(-0.0) == (int)0x80000000 &&
         __hiloint2double(0x3ff00000, 0) == 1.0 && (float)(x * 1e-50) == 0.0f &&
         (float)(x * 1e50) == INFINITY;
    return ok;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && holds(1.0 + (double)(i % 977) / 3.0))
        atomicAdd(out, in[i]);
}
