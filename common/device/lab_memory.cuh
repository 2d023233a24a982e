/* lab_memory.cuh: loads and stores with a cache hint, and copying of bytes.
 *
 * The hint is part of the PTX instruction (PTX ISA, "Cache Operators"). All of
 * them expect an address in global memory; generic and global addresses of
 * global memory are the same number, so no conversion is needed.
 */
#ifndef LAB_MEMORY_CUH
#define LAB_MEMORY_CUH

/* To clang a device function of this name is no builtin but a call to a
 * library, which a GPU does not have. */
LAB_FN void *memcpy(void *to, const void *from, size_t bytes)
{
    return __builtin_memcpy(to, from, bytes);
}
LAB_FN void *memset(void *to, int byte, size_t bytes)
{
    return __builtin_memset(to, byte, bytes);
}
LAB_FN void *memmove(void *to, const void *from, size_t bytes)
{
    return __builtin_memmove(to, from, bytes);
}
LAB_MEMBER inline void *operator new(size_t, void *place) noexcept
{
    return place;
}
LAB_MEMBER inline void *operator new[](size_t, void *place) noexcept
{
    return place;
}

#define LAB_LOAD1(name, how, type, width, raw, reg)          \
    LAB_FN type name(const type *p)                          \
    {                                                        \
        raw x;                                               \
        asm volatile("ld.global." how "." width " %0, [%1];" \
                     : "=" reg(x)                            \
                     : "l"(p)                                \
                     : "memory");                            \
        return (type)x;                                      \
    }
#define LAB_LOAD2(name, how, type, width, reg)                        \
    LAB_FN type name(const type *p)                                   \
    {                                                                 \
        type v;                                                       \
        asm volatile("ld.global." how ".v2." width " {%0, %1}, [%2];" \
                     : "=" reg(v.x), "=" reg(v.y)                     \
                     : "l"(p)                                         \
                     : "memory");                                     \
        return v;                                                     \
    }
#define LAB_LOAD4(name, how, type, width, reg)                                \
    LAB_FN type name(const type *p)                                           \
    {                                                                         \
        type v;                                                               \
        asm volatile("ld.global." how ".v4." width " {%0, %1, %2, %3}, [%4];" \
                     : "=" reg(v.x), "=" reg(v.y), "=" reg(v.z), "=" reg(v.w) \
                     : "l"(p)                                                 \
                     : "memory");                                             \
        return v;                                                             \
    }
#define LAB_LOADS(name, how)                                                 \
    LAB_LOAD1(name, how, char, "s8", int, "r")                               \
    LAB_LOAD1(name, how, signed char, "s8", int, "r")                        \
    LAB_LOAD1(name, how, unsigned char, "u8", unsigned int, "r")             \
    LAB_LOAD1(name, how, short, "s16", short, "h")                           \
    LAB_LOAD1(name, how, unsigned short, "u16", unsigned short, "h")         \
    LAB_LOAD1(name, how, int, "s32", int, "r")                               \
    LAB_LOAD1(name, how, unsigned int, "u32", unsigned int, "r")             \
    LAB_LOAD1(name, how, long, "s64", long, "l")                             \
    LAB_LOAD1(name, how, unsigned long, "u64", unsigned long, "l")           \
    LAB_LOAD1(name, how, long long, "s64", long long, "l")                   \
    LAB_LOAD1(name, how, unsigned long long, "u64", unsigned long long, "l") \
    LAB_LOAD1(name, how, float, "f32", float, "f")                           \
    LAB_LOAD1(name, how, double, "f64", double, "d")                         \
    LAB_LOAD2(name, how, int2, "s32", "r")                                   \
    LAB_LOAD2(name, how, uint2, "u32", "r")                                  \
    LAB_LOAD2(name, how, float2, "f32", "f")                                 \
    LAB_LOAD2(name, how, double2, "f64", "d")                                \
    LAB_LOAD2(name, how, longlong2, "s64", "l")                              \
    LAB_LOAD2(name, how, ulonglong2, "u64", "l")                             \
    LAB_LOAD4(name, how, int4, "s32", "r")                                   \
    LAB_LOAD4(name, how, uint4, "u32", "r")                                  \
    LAB_LOAD4(name, how, float4, "f32", "f")

LAB_LOADS(__ldg, "nc")
LAB_LOADS(__ldca, "ca")
LAB_LOADS(__ldcg, "cg")
LAB_LOADS(__ldcs, "cs")
LAB_LOADS(__ldlu, "lu")
LAB_LOADS(__ldcv, "cv")

#define LAB_STORE1(name, how, type, width, reg)              \
    LAB_FN void name(type *p, type x)                        \
    {                                                        \
        asm volatile("st.global." how "." width " [%0], %1;" \
                     :                                       \
                     : "l"(p), reg(x)                        \
                     : "memory");                            \
    }
#define LAB_STORE2(name, how, type, width, reg)                       \
    LAB_FN void name(type *p, type v)                                 \
    {                                                                 \
        asm volatile("st.global." how ".v2." width " [%0], {%1, %2};" \
                     :                                                \
                     : "l"(p), reg(v.x), reg(v.y)                     \
                     : "memory");                                     \
    }
#define LAB_STORE4(name, how, type, width, reg)                               \
    LAB_FN void name(type *p, type v)                                         \
    {                                                                         \
        asm volatile("st.global." how ".v4." width " [%0], {%1, %2, %3, %4};" \
                     :                                                        \
                     : "l"(p), reg(v.x), reg(v.y), reg(v.z), reg(v.w)         \
                     : "memory");                                             \
    }
#define LAB_STORES(name, how)                             \
    LAB_STORE1(name, how, short, "s16", "h")              \
    LAB_STORE1(name, how, unsigned short, "u16", "h")     \
    LAB_STORE1(name, how, int, "s32", "r")                \
    LAB_STORE1(name, how, unsigned int, "u32", "r")       \
    LAB_STORE1(name, how, long, "s64", "l")               \
    LAB_STORE1(name, how, unsigned long, "u64", "l")      \
    LAB_STORE1(name, how, long long, "s64", "l")          \
    LAB_STORE1(name, how, unsigned long long, "u64", "l") \
    LAB_STORE1(name, how, float, "f32", "f")              \
    LAB_STORE1(name, how, double, "f64", "d")             \
    LAB_STORE2(name, how, int2, "s32", "r")               \
    LAB_STORE2(name, how, uint2, "u32", "r")              \
    LAB_STORE2(name, how, float2, "f32", "f")             \
    LAB_STORE2(name, how, double2, "f64", "d")            \
    LAB_STORE4(name, how, int4, "s32", "r")               \
    LAB_STORE4(name, how, uint4, "u32", "r")              \
    LAB_STORE4(name, how, float4, "f32", "f")

LAB_STORES(__stwb, "wb")
LAB_STORES(__stcg, "cg")
LAB_STORES(__stcs, "cs")
LAB_STORES(__stwt, "wt")

/* Which memory does a generic pointer point into? */
#define LAB_IS_SPACE(name, space)             \
    LAB_FN unsigned int name(const void *p)   \
    {                                         \
        unsigned int yes;                     \
        asm("{ .reg .pred p; isspacep." space \
            " p, %1; selp.u32 %0, 1, 0, p; }" \
            : "=r"(yes)                       \
            : "l"(p));                        \
        return yes;                           \
    }
LAB_IS_SPACE(__isGlobal, "global")
LAB_IS_SPACE(__isShared, "shared")
LAB_IS_SPACE(__isConstant, "const")
LAB_IS_SPACE(__isLocal, "local")

/* A generic pointer as the number inside its own memory: what inline asm with
 * ld.shared or cp.async wants. */
#define LAB_TO_SPACE(name, space)                                      \
    LAB_FN size_t name(const void *p)                                  \
    {                                                                  \
        size_t address;                                                \
        asm("cvta.to." space ".u64 %0, %1;" : "=l"(address) : "l"(p)); \
        return address;                                                \
    }
LAB_TO_SPACE(__cvta_generic_to_shared, "shared")
LAB_TO_SPACE(__cvta_generic_to_global, "global")
LAB_TO_SPACE(__cvta_generic_to_local, "local")
LAB_TO_SPACE(__cvta_generic_to_constant, "const")

#endif
