/* lab_atomic.cuh: atomic operations; each returns the value from before.
 *
 * The plain ones go through clang's builtins, so that clang can see whether the
 * address is global or shared. atomicX_block and atomicX_system differ in who
 * is sure to see them as one step; those are inline asm on generic addresses.
 */
#ifndef LAB_ATOMIC_CUH
#define LAB_ATOMIC_CUH

#define LAB_ATOMIC_IS(name, builtin, type, raw)               \
    LAB_FN type name(type *p, type v)                         \
    {                                                         \
        return (type)__nvvm_atom_##builtin((raw *)p, (raw)v); \
    }

LAB_ATOMIC_IS(atomicAdd, add_gen_i, int, int)
LAB_ATOMIC_IS(atomicAdd, add_gen_i, unsigned int, int)
LAB_ATOMIC_IS(atomicAdd, add_gen_ll, unsigned long long, long long)
LAB_ATOMIC_IS(atomicAdd, add_gen_f, float, float)
LAB_ATOMIC_IS(atomicAdd, add_gen_d, double, double)
LAB_ATOMIC_IS(atomicExch, xchg_gen_i, int, int)
LAB_ATOMIC_IS(atomicExch, xchg_gen_i, unsigned int, int)
LAB_ATOMIC_IS(atomicExch, xchg_gen_ll, unsigned long long, long long)
LAB_ATOMIC_IS(atomicMin, min_gen_i, int, int)
LAB_ATOMIC_IS(atomicMin, min_gen_ui, unsigned int, unsigned int)
LAB_ATOMIC_IS(atomicMin, min_gen_ll, long long, long long)
LAB_ATOMIC_IS(atomicMin, min_gen_ull, unsigned long long, unsigned long long)
LAB_ATOMIC_IS(atomicMax, max_gen_i, int, int)
LAB_ATOMIC_IS(atomicMax, max_gen_ui, unsigned int, unsigned int)
LAB_ATOMIC_IS(atomicMax, max_gen_ll, long long, long long)
LAB_ATOMIC_IS(atomicMax, max_gen_ull, unsigned long long, unsigned long long)
LAB_ATOMIC_IS(atomicInc, inc_gen_ui, unsigned int, unsigned int)
LAB_ATOMIC_IS(atomicDec, dec_gen_ui, unsigned int, unsigned int)
LAB_ATOMIC_IS(atomicAnd, and_gen_i, int, int)
LAB_ATOMIC_IS(atomicAnd, and_gen_i, unsigned int, int)
LAB_ATOMIC_IS(atomicAnd, and_gen_ll, unsigned long long, long long)
LAB_ATOMIC_IS(atomicOr, or_gen_i, int, int)
LAB_ATOMIC_IS(atomicOr, or_gen_i, unsigned int, int)
LAB_ATOMIC_IS(atomicOr, or_gen_ll, unsigned long long, long long)
LAB_ATOMIC_IS(atomicXor, xor_gen_i, int, int)
LAB_ATOMIC_IS(atomicXor, xor_gen_i, unsigned int, int)
LAB_ATOMIC_IS(atomicXor, xor_gen_ll, unsigned long long, long long)

LAB_FN int atomicSub(int *p, int v)
{
    return atomicAdd(p, (int)(0u - (unsigned int)v));
}
LAB_FN unsigned int atomicSub(unsigned int *p, unsigned int v)
{
    return atomicAdd(p, 0u - v);
}

LAB_FN float atomicExch(float *p, float v)
{
    return __builtin_bit_cast(float,
                              atomicExch((int *)p, __builtin_bit_cast(int, v)));
}

LAB_FN int atomicCAS(int *p, int expected, int v)
{
    return __nvvm_atom_cas_gen_i(p, expected, v);
}
LAB_FN unsigned int atomicCAS(unsigned int *p, unsigned int expected,
                              unsigned int v)
{
    return (unsigned int)__nvvm_atom_cas_gen_i((int *)p, (int)expected, (int)v);
}
LAB_FN unsigned long long atomicCAS(unsigned long long *p,
                                    unsigned long long expected,
                                    unsigned long long v)
{
    return (unsigned long long)__nvvm_atom_cas_gen_ll(
        (long long *)p, (long long)expected, (long long)v);
}
LAB_FN unsigned short atomicCAS(unsigned short *p, unsigned short expected,
                                unsigned short v)
{
    unsigned short old;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
                 : "=h"(old)
                 : "l"(p), "h"(expected), "h"(v)
                 : "memory");
    return old;
}

/* One instruction, with the scope (.cta or .sys) spelled out. */
#define LAB_ATOMIC_SCOPE(name, scope, op, type, reg)       \
    LAB_FN type name(type *p, type v)                      \
    {                                                      \
        type old;                                          \
        asm volatile("atom." scope "." op " %0, [%1], %2;" \
                     : "=" reg(old)                        \
                     : "l"(p), reg(v)                      \
                     : "memory");                          \
        return old;                                        \
    }
#define LAB_CAS_SCOPE(name, scope, width, type, reg)                  \
    LAB_FN type name(type *p, type expected, type v)                  \
    {                                                                 \
        type old;                                                     \
        asm volatile("atom." scope ".cas." width " %0, [%1], %2, %3;" \
                     : "=" reg(old)                                   \
                     : "l"(p), reg(expected), reg(v)                  \
                     : "memory");                                     \
        return old;                                                   \
    }

#define LAB_ATOMICS_WITH_SCOPE(suffix, scope)                                  \
    LAB_ATOMIC_SCOPE(atomicAdd##suffix, scope, "add.s32", int, "r")            \
    LAB_ATOMIC_SCOPE(atomicAdd##suffix, scope, "add.u32", unsigned int, "r")   \
    LAB_ATOMIC_SCOPE(atomicAdd##suffix, scope, "add.u64", unsigned long long,  \
                     "l")                                                      \
    LAB_ATOMIC_SCOPE(atomicAdd##suffix, scope, "add.f32", float, "f")          \
    LAB_ATOMIC_SCOPE(atomicAdd##suffix, scope, "add.f64", double, "d")         \
    LAB_ATOMIC_SCOPE(atomicExch##suffix, scope, "exch.b32", int, "r")          \
    LAB_ATOMIC_SCOPE(atomicExch##suffix, scope, "exch.b32", unsigned int, "r") \
    LAB_ATOMIC_SCOPE(atomicExch##suffix, scope, "exch.b64",                    \
                     unsigned long long, "l")                                  \
    LAB_ATOMIC_SCOPE(atomicMin##suffix, scope, "min.s32", int, "r")            \
    LAB_ATOMIC_SCOPE(atomicMin##suffix, scope, "min.u32", unsigned int, "r")   \
    LAB_ATOMIC_SCOPE(atomicMin##suffix, scope, "min.s64", long long, "l")      \
    LAB_ATOMIC_SCOPE(atomicMin##suffix, scope, "min.u64", unsigned long long,  \
                     "l")                                                      \
    LAB_ATOMIC_SCOPE(atomicMax##suffix, scope, "max.s32", int, "r")            \
    LAB_ATOMIC_SCOPE(atomicMax##suffix, scope, "max.u32", unsigned int, "r")   \
    LAB_ATOMIC_SCOPE(atomicMax##suffix, scope, "max.s64", long long, "l")      \
    LAB_ATOMIC_SCOPE(atomicMax##suffix, scope, "max.u64", unsigned long long,  \
                     "l")                                                      \
    LAB_ATOMIC_SCOPE(atomicInc##suffix, scope, "inc.u32", unsigned int, "r")   \
    LAB_ATOMIC_SCOPE(atomicDec##suffix, scope, "dec.u32", unsigned int, "r")   \
    LAB_ATOMIC_SCOPE(atomicAnd##suffix, scope, "and.b32", int, "r")            \
    LAB_ATOMIC_SCOPE(atomicAnd##suffix, scope, "and.b32", unsigned int, "r")   \
    LAB_ATOMIC_SCOPE(atomicAnd##suffix, scope, "and.b64", unsigned long long,  \
                     "l")                                                      \
    LAB_ATOMIC_SCOPE(atomicOr##suffix, scope, "or.b32", int, "r")              \
    LAB_ATOMIC_SCOPE(atomicOr##suffix, scope, "or.b32", unsigned int, "r")     \
    LAB_ATOMIC_SCOPE(atomicOr##suffix, scope, "or.b64", unsigned long long,    \
                     "l")                                                      \
    LAB_ATOMIC_SCOPE(atomicXor##suffix, scope, "xor.b32", int, "r")            \
    LAB_ATOMIC_SCOPE(atomicXor##suffix, scope, "xor.b32", unsigned int, "r")   \
    LAB_ATOMIC_SCOPE(atomicXor##suffix, scope, "xor.b64", unsigned long long,  \
                     "l")                                                      \
    LAB_CAS_SCOPE(atomicCAS##suffix, scope, "b32", int, "r")                   \
    LAB_CAS_SCOPE(atomicCAS##suffix, scope, "b32", unsigned int, "r")          \
    LAB_CAS_SCOPE(atomicCAS##suffix, scope, "b64", unsigned long long, "l")    \
    LAB_FN int atomicSub##suffix(int *p, int v)                                \
    {                                                                          \
        return atomicAdd##suffix(p, (int)(0u - (unsigned int)v));              \
    }                                                                          \
    LAB_FN unsigned int atomicSub##suffix(unsigned int *p, unsigned int v)     \
    {                                                                          \
        return atomicAdd##suffix(p, 0u - v);                                   \
    }

LAB_ATOMICS_WITH_SCOPE(_block, "cta")
LAB_ATOMICS_WITH_SCOPE(_system, "sys")

#endif
