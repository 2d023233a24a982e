/* lab_bits.cuh: bits of words and floats, min and max of integers. */
#ifndef LAB_BITS_CUH
#define LAB_BITS_CUH

LAB_FN int __float_as_int(float x)
{
    return __builtin_bit_cast(int, x);
}
LAB_FN unsigned int __float_as_uint(float x)
{
    return __builtin_bit_cast(unsigned int, x);
}
LAB_FN float __int_as_float(int x)
{
    return __builtin_bit_cast(float, x);
}
LAB_FN float __uint_as_float(unsigned int x)
{
    return __builtin_bit_cast(float, x);
}
LAB_FN long long __double_as_longlong(double x)
{
    return __builtin_bit_cast(long long, x);
}
LAB_FN double __longlong_as_double(long long x)
{
    return __builtin_bit_cast(double, x);
}
LAB_FN int __double2hiint(double x)
{
    return (int)(__double_as_longlong(x) >> 32);
}
LAB_FN int __double2loint(double x)
{
    return (int)__double_as_longlong(x);
}
LAB_FN double __hiloint2double(int high, int low)
{
    return __longlong_as_double(
        (long long)(((unsigned long long)(unsigned int)high << 32) |
                    (unsigned int)low));
}

/* clz of 0 is 32 in CUDA and undefined in C; the test costs nothing, clang
 * knows that the instruction gives 32. */
LAB_FN int __clz(int x)
{
    return x == 0 ? 32 : __builtin_clz((unsigned int)x);
}
LAB_FN int __clzll(long long x)
{
    return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
LAB_FN int __popc(unsigned int x)
{
    return __builtin_popcount(x);
}
LAB_FN int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
LAB_FN int __ffs(int x)
{
    return __builtin_ffs(x);
}
LAB_FN int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
LAB_FN unsigned int __brev(unsigned int x)
{
    return __builtin_bitreverse32(x);
}
LAB_FN unsigned long long __brevll(unsigned long long x)
{
    return __builtin_bitreverse64(x);
}

/* LAB_ASMn: a function that is one instruction with n inputs. The letters are
 * clang's register classes: h 16 bits, r 32, l 64, f float, d double. */
#define LAB_ASM1(name, instruction, type, out, t1, r1)         \
    LAB_FN type name(t1 a)                                     \
    {                                                          \
        type result;                                           \
        asm(instruction " %0, %1;" : "=" out(result) : r1(a)); \
        return result;                                         \
    }
#define LAB_ASM2(name, instruction, type, out, t1, r1, t2, r2)            \
    LAB_FN type name(t1 a, t2 b)                                          \
    {                                                                     \
        type result;                                                      \
        asm(instruction " %0, %1, %2;" : "=" out(result) : r1(a), r2(b)); \
        return result;                                                    \
    }
#define LAB_ASM3(name, instruction, type, out, t1, r1, t2, r2, t3, r3) \
    LAB_FN type name(t1 a, t2 b, t3 c)                                 \
    {                                                                  \
        type result;                                                   \
        asm(instruction " %0, %1, %2, %3;"                             \
            : "=" out(result)                                          \
            : r1(a), r2(b), r3(c));                                    \
        return result;                                                 \
    }

LAB_ASM3(__byte_perm, "prmt.b32", unsigned int, "r", unsigned int, "r",
         unsigned int, "r", unsigned int, "r")
LAB_ASM3(__funnelshift_l, "shf.l.wrap.b32", unsigned int, "r", unsigned int,
         "r", unsigned int, "r", unsigned int, "r")
LAB_ASM3(__funnelshift_r, "shf.r.wrap.b32", unsigned int, "r", unsigned int,
         "r", unsigned int, "r", unsigned int, "r")
LAB_ASM3(__funnelshift_lc, "shf.l.clamp.b32", unsigned int, "r", unsigned int,
         "r", unsigned int, "r", unsigned int, "r")
LAB_ASM3(__funnelshift_rc, "shf.r.clamp.b32", unsigned int, "r", unsigned int,
         "r", unsigned int, "r", unsigned int, "r")
LAB_ASM3(__sad, "sad.s32", unsigned int, "r", int, "r", int, "r", unsigned int,
         "r")
LAB_ASM3(__usad, "sad.u32", unsigned int, "r", unsigned int, "r", unsigned int,
         "r", unsigned int, "r")
LAB_ASM3(__dp4a, "dp4a.s32.s32", int, "r", int, "r", int, "r", int, "r")
LAB_ASM3(__dp4a, "dp4a.u32.u32", unsigned int, "r", unsigned int, "r",
         unsigned int, "r", unsigned int, "r")
LAB_ASM2(__mul24, "mul24.lo.s32", int, "r", int, "r", int, "r")
LAB_ASM2(__umul24, "mul24.lo.u32", unsigned int, "r", unsigned int, "r",
         unsigned int, "r")

LAB_FN int __mulhi(int a, int b)
{
    return (int)(((long long)a * b) >> 32);
}
LAB_FN unsigned int __umulhi(unsigned int a, unsigned int b)
{
    return (unsigned int)(((unsigned long long)a * b) >> 32);
}
LAB_FN long long __mul64hi(long long a, long long b)
{
    return __nvvm_mulhi_ll(a, b);
}
LAB_FN unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return __nvvm_mulhi_ull(a, b);
}
LAB_FN int __hadd(int a, int b)
{
    return (int)(((long long)a + b) >> 1);
}
LAB_FN int __rhadd(int a, int b)
{
    return (int)(((long long)a + b + 1) >> 1);
}

LAB_FN int abs(int x)
{
    return x < 0 ? -x : x;
}
LAB_FN long labs(long x)
{
    return x < 0 ? -x : x;
}
LAB_FN long long llabs(long long x)
{
    return x < 0 ? -x : x;
}
LAB_FN long abs(long x)
{
    return x < 0 ? -x : x;
}
LAB_FN long long abs(long long x)
{
    return x < 0 ? -x : x;
}

/* min and max for one type at a time, and for CUDA's mixed signs: the unsigned
 * type wins. */
#define LAB_MIN_MAX(type, a_type, b_type)             \
    LAB_FN type min(a_type a, b_type b)               \
    {                                                 \
        return (type)a < (type)b ? (type)a : (type)b; \
    }                                                 \
    LAB_FN type max(a_type a, b_type b)               \
    {                                                 \
        return (type)a > (type)b ? (type)a : (type)b; \
    }
#define LAB_MIN_MAX_MIXED(plain, u)  \
    LAB_MIN_MAX(plain, plain, plain) \
    LAB_MIN_MAX(u, u, u)             \
    LAB_MIN_MAX(u, plain, u)         \
    LAB_MIN_MAX(u, u, plain)

LAB_MIN_MAX_MIXED(int, unsigned int)
LAB_MIN_MAX_MIXED(long, unsigned long)
LAB_MIN_MAX_MIXED(long long, unsigned long long)

LAB_FN unsigned int umin(unsigned int a, unsigned int b)
{
    return min(a, b);
}
LAB_FN unsigned int umax(unsigned int a, unsigned int b)
{
    return max(a, b);
}

#endif
