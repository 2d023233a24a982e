/* lab_math.cuh: fminf, sqrtf, floor ... and, by polynomials, exp, log, sin.
 *
 * One-instruction functions are IEEE. The others are good to a few units in the
 * last place of their type: enough for the labs, not a numerical library. sin
 * and cos want |x| < 1e5. A float function for which nothing better is known
 * goes through double, which is slow and right.
 */
#ifndef LAB_MATH_CUH
#define LAB_MATH_CUH

/* The same function twice: nameF for float, name for double (and, as in CUDA,
 * the double's name for a float argument). */
#define LAB_MATH1(name, builtin)          \
    LAB_FN float name##f(float x)         \
    {                                     \
        return __builtin_##builtin##f(x); \
    }                                     \
    LAB_FN double name(double x)          \
    {                                     \
        return __builtin_##builtin(x);    \
    }                                     \
    LAB_FN float name(float x)            \
    {                                     \
        return __builtin_##builtin##f(x); \
    }
#define LAB_MATH2(name, builtin)             \
    LAB_FN float name##f(float x, float y)   \
    {                                        \
        return __builtin_##builtin##f(x, y); \
    }                                        \
    LAB_FN double name(double x, double y)   \
    {                                        \
        return __builtin_##builtin(x, y);    \
    }                                        \
    LAB_FN float name(float x, float y)      \
    {                                        \
        return __builtin_##builtin##f(x, y); \
    }

LAB_MATH1(fabs, fabs)
LAB_MATH1(floor, floor)
LAB_MATH1(ceil, ceil)
LAB_MATH1(trunc, trunc)
LAB_MATH1(rint, rint)
LAB_MATH1(nearbyint, nearbyint)
LAB_MATH2(fmin, fmin)
LAB_MATH2(fmax, fmax)
LAB_MATH2(copysign, copysign)

LAB_FN float sqrtf(float x)
{
    return __fsqrt_rn(x);
}
LAB_FN float sqrt(float x)
{
    return __fsqrt_rn(x);
}
LAB_FN double sqrt(double x)
{
    return __dsqrt_rn(x);
}
LAB_FN float rsqrtf(float x)
{
    return __frsqrt_rn(x);
}
LAB_FN float rsqrt(float x)
{
    return __frsqrt_rn(x);
}
LAB_FN double rsqrt(double x)
{
    return 1.0 / __dsqrt_rn(x);
}
LAB_FN float fmaf(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
LAB_FN float fma(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
LAB_FN double fma(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
LAB_FN float fdimf(float a, float b)
{
    return a <= b ? 0.0f : a - b;
}
LAB_FN double fdim(double a, double b)
{
    return a <= b ? 0.0 : a - b;
}
LAB_FN float abs(float x)
{
    return fabsf(x);
}
LAB_FN double abs(double x)
{
    return fabs(x);
}

LAB_FN float min(float a, float b)
{
    return fminf(a, b);
}
LAB_FN float max(float a, float b)
{
    return fmaxf(a, b);
}
LAB_FN double min(double a, double b)
{
    return fmin(a, b);
}
LAB_FN double max(double a, double b)
{
    return fmax(a, b);
}
LAB_FN double min(float a, double b)
{
    return fmin((double)a, b);
}
LAB_FN double max(float a, double b)
{
    return fmax((double)a, b);
}
LAB_FN double min(double a, float b)
{
    return fmin(a, (double)b);
}
LAB_FN double max(double a, float b)
{
    return fmax(a, (double)b);
}

/* Halves go away from zero, unlike rint. */
LAB_FN float roundf(float x)
{
    return truncf(x + copysignf(0.49999997f, x));
}
LAB_FN double round(double x)
{
    return trunc(x + copysign(0.49999999999999994, x));
}
LAB_FN float round(float x)
{
    return roundf(x);
}
LAB_FN int lrintf(float x)
{
    return __float2int_rn(x);
}
LAB_FN long lroundf(float x)
{
    return (long)roundf(x);
}
LAB_FN long long llrintf(float x)
{
    return __float2ll_rn(x);
}

/* By the bits: -ffast-math must not be able to remove these. */
LAB_FN bool isnan(float x)
{
    return (__float_as_uint(x) & 0x7fffffffu) > 0x7f800000u;
}
LAB_FN bool isinf(float x)
{
    return (__float_as_uint(x) & 0x7fffffffu) == 0x7f800000u;
}
LAB_FN bool isfinite(float x)
{
    return (__float_as_uint(x) & 0x7fffffffu) < 0x7f800000u;
}
LAB_FN bool signbit(float x)
{
    return __float_as_int(x) < 0;
}
LAB_FN bool isnan(double x)
{
    return (__double_as_longlong(x) & LLONG_MAX) > 0x7ff0000000000000ll;
}
LAB_FN bool isinf(double x)
{
    return (__double_as_longlong(x) & LLONG_MAX) == 0x7ff0000000000000ll;
}
LAB_FN bool isfinite(double x)
{
    return (__double_as_longlong(x) & LLONG_MAX) < 0x7ff0000000000000ll;
}
LAB_FN bool signbit(double x)
{
    return __double_as_longlong(x) < 0;
}

/* x * 2^k in two steps, so that neither step leaves the range too early. */
LAB_FN double ldexp(double x, int k)
{
    k = max(-2098, min(2098, k));
    while (k > 1000) {
        x *= 0x1p1000;
        k -= 1000;
    }
    while (k < -1000) {
        x *= 0x1p-1000;
        k += 1000;
    }
    return x * __hiloint2double((1023 + k) << 20, 0);
}
LAB_FN float ldexpf(float x, int k)
{
    return (float)ldexp((double)x, k);
}
LAB_FN float scalbnf(float x, int k)
{
    return ldexpf(x, k);
}
LAB_FN double scalbn(double x, int k)
{
    return ldexp(x, k);
}

/* exp: x = k ln 2 + r with |r| < 0.35, a Taylor sum for e^r, times 2^k. */
LAB_FN double exp(double x)
{
    double k, r, sum;

    if (!(x > -746.0))
        return isnan(x) ? x : 0.0;
    if (x > 710.0)
        return __builtin_inf();
    k = rint(x * M_LOG2E);
    r = fma(k, -0x1.62e42fefa39efp-1, x);
    r = fma(k, -0x1.abc9e3b39803fp-56, r);
    sum = 1.0;
#pragma unroll
    for (int i = 14; i > 0; i--)
        sum = fma(sum, r * (1.0 / i), 1.0);
    return ldexp(sum, (int)k);
}

/* log: x = m 2^e with m near 1, then the series of atanh((m - 1) / (m + 1)). */
LAB_FN double log(double x)
{
    long long bits;
    int e = 0;
    double m, s, z, sum;

    if (!(x > 0.0))
        return x == 0.0 ? -__builtin_inf() : __builtin_nan("");
    if (!isfinite(x))
        return x;
    if (x < DBL_MIN) {
        x *= 0x1p54;
        e = -54;
    }
    /* Counted from sqrt(1/2), so that m lies between that and sqrt(2). */
    bits = __double_as_longlong(x) - 0x3fe6a09e667f3bcdll;
    e += (int)(bits >> 52);
    m = __longlong_as_double((bits & 0xfffffffffffffll) + 0x3fe6a09e667f3bcdll);
    s = (m - 1.0) / (m + 1.0);
    z = s * s;
    sum = 0.0;
#pragma unroll
    for (int i = 23; i > 1; i -= 2)
        sum = fma(sum, z, 1.0 / i);
    return fma((double)e, M_LN2, 2.0 * fma(s * z, sum, s));
}

LAB_FN double exp2(double x)
{
    return exp(x * M_LN2);
}
LAB_FN double exp10(double x)
{
    return exp(x * 2.30258509299404568402);
}
LAB_FN double log2(double x)
{
    return log(x) * M_LOG2E;
}
LAB_FN double log10(double x)
{
    return log(x) * 0.43429448190325182765;
}
/* Near 0 the 1 of e^x would swallow the rest: sum the series without it. */
LAB_FN double expm1(double x)
{
    double sum = 1.0;

    if (!(fabs(x) < 0.35))
        return exp(x) - 1.0;
#pragma unroll
    for (int i = 15; i > 1; i--)
        sum = fma(sum, x * (1.0 / i), 1.0);
    return x * sum;
}
/* The second factor makes up for what 1 + x rounds away. */
LAB_FN double log1p(double x)
{
    double u = 1.0 + x;
    return u == 1.0 || u == __builtin_inf() ? x : log(u) * (x / (u - 1.0));
}
LAB_FN double pow(double x, double y)
{
    bool y_is_whole = rint(y) == y;
    bool y_is_odd = y_is_whole && rint(y * 0.5) != y * 0.5;

    if (y == 0.0 || x == 1.0)
        return 1.0;
    if (x < 0.0 && !y_is_whole)
        return __builtin_nan("");
    double size = exp(y * log(fabs(x)));
    return signbit(x) && y_is_odd ? -size : size;
}

/* sin and cos: x = k pi/2 + r, Taylor sums of r, and k mod 4 says which. */
LAB_FN double lab_sin_or_cos(double x, int quarter)
{
    double k = rint(x * (2.0 / M_PI));
    double r = fma(k, -0x1.921fb54442d18p+0, x);
    double even = 0.0, odd = 0.0, z;

    r = fma(k, -0x1.1a62633145c07p-54, r);
    quarter += (int)k;
    z = r * r;
#pragma unroll
    for (int i = 16; i > 0; i -= 2) {
        odd = (1.0 - odd) * z * (1.0 / (i * (i + 1)));
        even = (1.0 - even) * z * (1.0 / (i * (i - 1)));
    }
    r = quarter & 1 ? 1.0 - even : r * (1.0 - odd);
    return quarter & 2 ? -r : r;
}
LAB_FN double sin(double x)
{
    return lab_sin_or_cos(x, 0);
}
LAB_FN double cos(double x)
{
    return lab_sin_or_cos(x, 1);
}
LAB_FN double tan(double x)
{
    return sin(x) / cos(x);
}
LAB_FN void sincos(double x, double *s, double *c)
{
    *s = sin(x);
    *c = cos(x);
}
LAB_FN double sinh(double x)
{
    return 0.5 * (expm1(x) - expm1(-x));
}
LAB_FN double cosh(double x)
{
    return 0.5 * (exp(x) + exp(-x));
}
LAB_FN double tanh(double x)
{
    double t = expm1(-2.0 * fabs(x));
    return copysign(-t / (t + 2.0), x);
}
LAB_FN double hypot(double x, double y)
{
    double big = fmax(fabs(x), fabs(y)), small = fmin(fabs(x), fabs(y));
    return big == 0.0 || !isfinite(big)
               ? big
               : big * sqrt(fma(small / big, small / big, 1.0));
}
LAB_FN double cbrt(double x)
{
    double root = copysign(exp(log(fabs(x)) * (1.0 / 3)), x);
    return x == 0.0 || !isfinite(x)
               ? x
               : root - (root * root * root - x) / (3.0 * root * root);
}
/* Multiples of y are taken off exactly, the largest power of two first. */
LAB_FN double fmod(double x, double y)
{
    double left = fabs(x), step, unit = fabs(y);

    if (!isfinite(x) || unit == 0.0 || isnan(y))
        return __builtin_nan("");
    while (left >= unit) {
        step = unit;
        while (step <= left * 0.5)
            step *= 2.0;
        left -= step;
    }
    return copysign(left, x);
}

/* expf and logf are common in kernels: worth a float version. */
LAB_FN float expf(float x)
{
    float k = rintf(x * 1.44269502f);
    float r = fmaf(k, -0x1.62e4p-1f, x); // 14 bits, so that k times it is exact
    float half;

    r = fmaf(k, -0x1.7f7d1cp-20f, r);
    k = fminf(fmaxf(k, -300.0f), 300.0f);
    half = rintf(k * 0.5f);
    r = lab_ex2(r * 1.44269502f) * lab_ex2(half) * lab_ex2(k - half);
    return x > 89.0f ? INFINITY : x < -104.0f ? 0.0f : r;
}
LAB_FN float logf(float x)
{
    return (float)log((double)x);
}

#define LAB_VIA_DOUBLE1(name)          \
    LAB_FN float name##f(float x)      \
    {                                  \
        return (float)name((double)x); \
    }                                  \
    LAB_FN float name(float x)         \
    {                                  \
        return (float)name((double)x); \
    }
#define LAB_VIA_DOUBLE2(name)                     \
    LAB_FN float name##f(float x, float y)        \
    {                                             \
        return (float)name((double)x, (double)y); \
    }                                             \
    LAB_FN float name(float x, float y)           \
    {                                             \
        return (float)name((double)x, (double)y); \
    }

LAB_VIA_DOUBLE1(exp2)
LAB_VIA_DOUBLE1(exp10)
LAB_VIA_DOUBLE1(expm1)
LAB_VIA_DOUBLE1(log2)
LAB_VIA_DOUBLE1(log10)
LAB_VIA_DOUBLE1(log1p)
LAB_VIA_DOUBLE1(sin)
LAB_VIA_DOUBLE1(cos)
LAB_VIA_DOUBLE1(tan)
LAB_VIA_DOUBLE1(sinh)
LAB_VIA_DOUBLE1(cosh)
LAB_VIA_DOUBLE1(tanh)
LAB_VIA_DOUBLE1(cbrt)
LAB_VIA_DOUBLE2(pow)
LAB_VIA_DOUBLE2(hypot)
LAB_VIA_DOUBLE2(fmod)

LAB_FN float exp(float x)
{
    return expf(x);
}
LAB_FN float log(float x)
{
    return logf(x);
}
LAB_FN void sincosf(float x, float *s, float *c)
{
    *s = sinf(x);
    *c = cosf(x);
}

/* A whole number as the argument means double, as in C++. */
#define LAB_INT_MEANS_DOUBLE(name) \
    LAB_FN double name(int x)      \
    {                              \
        return name((double)x);    \
    }
LAB_INT_MEANS_DOUBLE(sqrt)
LAB_INT_MEANS_DOUBLE(exp)
LAB_INT_MEANS_DOUBLE(log)
LAB_INT_MEANS_DOUBLE(log2)
LAB_INT_MEANS_DOUBLE(sin)
LAB_INT_MEANS_DOUBLE(cos)
LAB_INT_MEANS_DOUBLE(floor)
LAB_INT_MEANS_DOUBLE(ceil)
LAB_FN double pow(double x, int y)
{
    return pow(x, (double)y);
}
LAB_FN double pow(int x, int y)
{
    return pow((double)x, (double)y);
}
LAB_FN float pow(float x, int y)
{
    return pow(x, (float)y);
}

#endif
