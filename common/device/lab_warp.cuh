/* lab_warp.cuh: what the 32 lanes of a warp tell each other.
 *
 * shuffles, votes, match, integer reductions. The mask names the lanes that
 * take part; PTX ISA, "shfl.sync", says what the last operand of a shuffle is:
 * the clamp in bits 0-4 and 32 - width in bits 8-12.
 */
#ifndef LAB_WARP_CUH
#define LAB_WARP_CUH

/* A shuffle moves 32 bits; a 64-bit value goes as two halves. */
#define LAB_SHFL(name, mode, second, clamp)                                    \
    LAB_FN int name(unsigned int mask, int value, second lane, int width = 32) \
    {                                                                          \
        return __nvvm_shfl_sync_##mode##_i32(mask, value, (int)lane,           \
                                             ((32 - width) << 8) | clamp);     \
    }                                                                          \
    LAB_FN float name(unsigned int mask, float value, second lane,             \
                      int width = 32)                                          \
    {                                                                          \
        return __nvvm_shfl_sync_##mode##_f32(mask, value, (int)lane,           \
                                             ((32 - width) << 8) | clamp);     \
    }                                                                          \
    LAB_FN unsigned int name(unsigned int mask, unsigned int value,            \
                             second lane, int width = 32)                      \
    {                                                                          \
        return (unsigned int)name(mask, (int)value, lane, width);              \
    }                                                                          \
    LAB_FN unsigned long long name(unsigned int mask,                          \
                                   unsigned long long value, second lane,      \
                                   int width = 32)                             \
    {                                                                          \
        unsigned int low = name(mask, (unsigned int)value, lane, width);       \
        unsigned int high =                                                    \
            name(mask, (unsigned int)(value >> 32), lane, width);              \
        return ((unsigned long long)high << 32) | low;                         \
    }                                                                          \
    LAB_FN long long name(unsigned int mask, long long value, second lane,     \
                          int width = 32)                                      \
    {                                                                          \
        return (long long)name(mask, (unsigned long long)value, lane, width);  \
    }                                                                          \
    LAB_FN unsigned long name(unsigned int mask, unsigned long value,          \
                              second lane, int width = 32)                     \
    {                                                                          \
        return (unsigned long)name(mask, (unsigned long long)value, lane,      \
                                   width);                                     \
    }                                                                          \
    LAB_FN long name(unsigned int mask, long value, second lane,               \
                     int width = 32)                                           \
    {                                                                          \
        return (long)name(mask, (unsigned long long)value, lane, width);       \
    }                                                                          \
    LAB_FN double name(unsigned int mask, double value, second lane,           \
                       int width = 32)                                         \
    {                                                                          \
        union {                                                                \
            double value;                                                      \
            unsigned long long bits;                                           \
        } u;                                                                   \
        u.value = value;                                                       \
        u.bits = name(mask, u.bits, lane, width);                              \
        return u.value;                                                        \
    }

LAB_SHFL(__shfl_sync, idx, int, 31)
LAB_SHFL(__shfl_up_sync, up, unsigned int, 0)
LAB_SHFL(__shfl_down_sync, down, unsigned int, 31)
LAB_SHFL(__shfl_xor_sync, bfly, int, 31)

LAB_FN int __all_sync(unsigned int mask, int condition)
{
    return __nvvm_vote_all_sync(mask, condition != 0);
}
LAB_FN int __any_sync(unsigned int mask, int condition)
{
    return __nvvm_vote_any_sync(mask, condition != 0);
}
LAB_FN int __uni_sync(unsigned int mask, int condition)
{
    return __nvvm_vote_uni_sync(mask, condition != 0);
}
LAB_FN unsigned int __ballot_sync(unsigned int mask, int condition)
{
    return __nvvm_vote_ballot_sync(mask, condition != 0);
}

LAB_FN unsigned int __activemask()
{
    unsigned int mask;
    LAB_ASM_ALONE("activemask.b32 %0;" : "=r"(mask));
    return mask;
}

LAB_FN unsigned int __lanemask_lt()
{
    unsigned int mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

LAB_FN unsigned int lab_match_any(unsigned int mask, unsigned int bits)
{
    unsigned int equal;
    LAB_ASM_ALONE("match.any.sync.b32 %0, %1, %2;"
                  : "=r"(equal)
                  : "r"(bits), "r"(mask));
    return equal;
}
LAB_FN unsigned int lab_match_any(unsigned int mask, unsigned long long bits)
{
    unsigned int equal;
    LAB_ASM_ALONE("match.any.sync.b64 %0, %1, %2;"
                  : "=r"(equal)
                  : "l"(bits), "r"(mask));
    return equal;
}
LAB_FN unsigned int lab_match_all(unsigned int mask, unsigned int bits,
                                  int *is_equal)
{
    unsigned int equal;
    LAB_ASM_ALONE("{ .reg .pred p; match.all.sync.b32 %0|p, %2, %3; selp.s32 "
                  "%1, 1, 0, p; }"
                  : "=r"(equal), "=r"(*is_equal)
                  : "r"(bits), "r"(mask));
    return equal;
}
LAB_FN unsigned int lab_match_all(unsigned int mask, unsigned long long bits,
                                  int *is_equal)
{
    unsigned int equal;
    LAB_ASM_ALONE("{ .reg .pred p; match.all.sync.b64 %0|p, %2, %3; selp.s32 "
                  "%1, 1, 0, p; }"
                  : "=r"(equal), "=r"(*is_equal)
                  : "l"(bits), "r"(mask));
    return equal;
}

/* Equal means equal bits, so a float is compared as its bits: no NaN rule. */
#define LAB_MATCH(type, bits_type)                                      \
    LAB_FN unsigned int __match_any_sync(unsigned int mask, type value) \
    {                                                                   \
        bits_type bits;                                                 \
        __builtin_memcpy(&bits, &value, sizeof bits);                   \
        return lab_match_any(mask, bits);                               \
    }                                                                   \
    LAB_FN unsigned int __match_all_sync(unsigned int mask, type value, \
                                         int *is_equal)                 \
    {                                                                   \
        bits_type bits;                                                 \
        __builtin_memcpy(&bits, &value, sizeof bits);                   \
        return lab_match_all(mask, bits, is_equal);                     \
    }

LAB_MATCH(int, unsigned int)
LAB_MATCH(unsigned int, unsigned int)
LAB_MATCH(float, unsigned int)
LAB_MATCH(long, unsigned long long)
LAB_MATCH(unsigned long, unsigned long long)
LAB_MATCH(long long, unsigned long long)
LAB_MATCH(unsigned long long, unsigned long long)
LAB_MATCH(double, unsigned long long)

/* redux.sync: whole numbers only, sm_80 and newer. As with nvcc, a float
 * argument is an ambiguous call and not a silent cut. */
#define LAB_REDUX(name, op, type, suffix)                        \
    LAB_FN type name(unsigned int mask, type value)              \
    {                                                            \
        type result;                                             \
        LAB_ASM_ALONE("redux.sync." op "." suffix " %0, %1, %2;" \
                      : "=r"(result)                             \
                      : "r"(value), "r"(mask));                  \
        return result;                                           \
    }

LAB_REDUX(__reduce_add_sync, "add", int, "s32")
LAB_REDUX(__reduce_add_sync, "add", unsigned int, "u32")
LAB_REDUX(__reduce_min_sync, "min", int, "s32")
LAB_REDUX(__reduce_min_sync, "min", unsigned int, "u32")
LAB_REDUX(__reduce_max_sync, "max", int, "s32")
LAB_REDUX(__reduce_max_sync, "max", unsigned int, "u32")
LAB_REDUX(__reduce_and_sync, "and", unsigned int, "b32")
LAB_REDUX(__reduce_or_sync, "or", unsigned int, "b32")
LAB_REDUX(__reduce_xor_sync, "xor", unsigned int, "b32")

#endif
