// expect: ok
/* f32 instructions that must be exact or close; a wrong one makes the element
   vanish. */
__device__ bool close_to(float a, float b, float part)
{
    return fabsf(a - b) <= part * fabsf(b);
}

__device__ bool holds(float x)
{
    bool ok = sqrtf(x * x) == x && __frcp_rn(__frcp_rn(8.0f)) == 8.0f &&
              x / x == 1.0f;

    ok = ok && fmaf(x, x, -x * x) == __fmaf_rn(x, x, -(x * x)) &&
         __fmul_rn(x, 2.0f) == __fadd_rn(x, x);
    ok = ok && __fadd_rd(x, 1e-9f) <= __fadd_ru(x, 1e-9f) &&
         __fadd_rz(x, 1e-9f) == x && __fadd_ru(x, 1e-9f) > x;
    ok = ok && __fdiv_rd(1.0f, 3.0f) < __fdiv_ru(1.0f, 3.0f) &&
         __fsqrt_rd(2.0f) < __fsqrt_ru(2.0f);
    ok = ok && fminf(x, NAN) == x && fmaxf(NAN, x) == x && isnan(NAN + x) &&
         isinf(INFINITY - x);
    ok = ok && copysignf(x, -0.0f) == -x && fabsf(-x) == x &&
         !isfinite(x / (x - x));
    ok = ok && floorf(-x) == -ceilf(x) && truncf(-x) == -truncf(x) &&
         rintf(2.5f * (x / x)) == 2.0f && roundf(2.5f) == 3.0f;
    ok = ok && close_to(__expf(__logf(x)), x, 1e-5f) &&
         close_to(exp2f(log2f(x)), x, 1e-5f);
    ok = ok && close_to(rsqrtf(x) * sqrtf(x), 1.0f, 1e-6f) &&
         close_to(__fdividef(x, 3.0f), x / 3.0f, 1e-6f);
    ok = ok && fabsf(__sinf(1.0f) * __sinf(1.0f) + __cosf(1.0f) * __cosf(1.0f) -
                     1.0f) < 1e-5f;
    ok = ok && __int_as_float(__float_as_int(x)) == x &&
         __saturatef(x) == 1.0f && __saturatef(-x) == 0.0f;
    return ok;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && holds(1.0f + (float)(i % 977) / 64.0f))
        atomicAdd(out, in[i]);
}
