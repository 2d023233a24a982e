// expect: ok
/* Whole-number instructions whose results cancel or prove each other; a wrong
   one makes the element vanish. */
__device__ bool holds_32(unsigned int a, unsigned int b)
{
    int sa = (int)a, sb = (int)b;
    bool ok = __popc(a) + __popc(~a) == 32;

    ok = ok && __brev(__brev(a)) == a &&
         __clz((int)a) == __ffs((int)__brev(a)) - 1 + (a == 0 ? 33 : 0);
    ok = ok && __byte_perm(a, b, 0x3210) == a && __byte_perm(a, b, 0x7654) == b;
    ok = ok && __byte_perm(a, 0, 0x0123) == ((a >> 24) | (a >> 8 & 0xff00) |
                                             (a << 8 & 0xff0000) | a << 24);
    ok = ok && __funnelshift_l(a, b, 8) == (b << 8 | a >> 24) &&
         __funnelshift_r(a, b, 8) == (b << 24 | a >> 8);
    ok = ok && __funnelshift_l(a, b, 40) == __funnelshift_l(a, b, 8) &&
         __funnelshift_lc(a, b, 40) == a;
    ok = ok && b != 0 && a / b * b + a % b == a;
    ok = ok && sb != 0 && (sb == -1 || sa / sb * sb + sa % sb == sa);
    ok = ok && ((unsigned long long)__umulhi(a, b) << 32 | (a * b)) ==
                   (unsigned long long)a * b;
    ok = ok && ((long long)__mulhi(sa, sb) * 4294967296ll +
                (unsigned int)(sa * sb)) == (long long)sa * sb;
    ok = ok && min(sa, sb) <= max(sa, sb) && (min(a, b) ^ max(a, b)) == (a ^ b);
    ok = ok && (unsigned int)abs(sa) == (sa < 0 ? 0u - a : a) &&
         __sad(sa, sa, 5u) == 5u && __usad(a, a, 6u) == 6u;
    ok = ok && (a & b) + (a | b) == a + b && ((a ^ b) & a) == (a & ~b);
    ok = ok && __umul24(a & 0xffffu, 3u) == (a & 0xffffu) * 3u;
    return ok;
}

__device__ bool holds_64(unsigned long long a, unsigned long long b)
{
    long long sa = (long long)a, sb = (long long)b;
    bool ok = __popcll(a) + __popcll(~a) == 64 && __brevll(__brevll(a)) == a;

    ok = ok && b != 0 && a / b * b + a % b == a;
    ok = ok && sb != 0 && (sb == -1 || sa / sb * sb + sa % sb == sa);
    ok = ok && __umul64hi(a, b) == __umul64hi(b, a) &&
         __mul64hi(sa, 1) == (sa < 0 ? -1 : 0);
    ok = ok && (a << 13 >> 13 | a >> 51 << 51) == a &&
         (sa >> 63) == (sa < 0 ? -1 : 0);
    ok = ok && __clzll(sa | 1) == 63 - (64 - __clzll(sa | 1) - 1) &&
         __ffsll(sa | 16) <= 5;
    ok = ok && min(sa, sb) + (max(sa, sb) - sa - sb) == 0;
    return ok;
}

__device__ bool holds_narrow(unsigned int a)
{
    short s = (short)a;
    signed char c = (signed char)a;
    unsigned char u = (unsigned char)a;
    unsigned short h = (unsigned short)(u * 257);

    return (s < 0) == ((a & 0x8000u) != 0) && (c & 255) == u && h / 257 == u &&
           (short)(s ^ -1) == (short)~s;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int a = (unsigned int)i * 2654435761u + 12345u,
                 b = ~a * 40503u | 1u;
    unsigned long long wide = (unsigned long long)a << 32 | b;

    if (i < n && holds_32(a, b) &&
        holds_64(wide, wide * 6364136223846793005ull | 1u) && holds_narrow(a))
        atomicAdd(out, in[i]);
}
