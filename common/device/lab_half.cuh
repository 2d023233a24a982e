/* lab_half.cuh: what 16-bit floats share; <cuda_fp16.h> and <cuda_bf16.h> use
 * it.
 *
 * clang 14 has no 16-bit float for this target, so a value is a struct around
 * its bits and each operation is one instruction in inline asm on an "h"
 * register. A pair (half2) is an "r" register: x in the low half.
 */
#ifndef LAB_HALF_CUH
#define LAB_HALF_CUH

/* type: the struct; t: its name in functions; ptx: its suffix. */
#define LAB_HALF_TYPE(type, t, ptx)                                  \
    struct __attribute__((aligned(2))) type {                        \
        unsigned short bits;                                         \
        type() = default;                                            \
        LAB_MEMBER type(float x)                                     \
        {                                                            \
            asm("cvt.rn." ptx ".f32 %0, %1;" : "=h"(bits) : "f"(x)); \
        }                                                            \
        LAB_MEMBER type(double x) : type((float)x)                   \
        {                                                            \
        }                                                            \
        LAB_MEMBER type(int x) : type((float)x)                      \
        {                                                            \
        }                                                            \
        LAB_MEMBER operator float() const                            \
        {                                                            \
            return lab_##t##_to_float(bits);                         \
        }                                                            \
    };                                                               \
    LAB_FN unsigned short __##t##_as_ushort(type x)                  \
    {                                                                \
        return x.bits;                                               \
    }                                                                \
    LAB_FN type __ushort_as_##t(unsigned short bits)                 \
    {                                                                \
        type x;                                                      \
        x.bits = bits;                                               \
        return x;                                                    \
    }                                                                \
    LAB_FN float __##t##2float(type x)                               \
    {                                                                \
        return lab_##t##_to_float(x.bits);                           \
    }                                                                \
    LAB_FN type __float2##t(float x)                                 \
    {                                                                \
        return type(x);                                              \
    }                                                                \
    LAB_FN type __float2##t##_rn(float x)                            \
    {                                                                \
        return type(x);                                              \
    }                                                                \
    LAB_FN type __float2##t##_rz(float x)                            \
    {                                                                \
        type y;                                                      \
        asm("cvt.rz." ptx ".f32 %0, %1;" : "=h"(y.bits) : "f"(x));   \
        return y;                                                    \
    }

/* One instruction on one, two or three 16-bit values. */
#define LAB_HALF1(name, instruction, type)                        \
    LAB_FN type name(type a)                                      \
    {                                                             \
        type x;                                                   \
        asm(instruction " %0, %1;" : "=h"(x.bits) : "h"(a.bits)); \
        return x;                                                 \
    }
#define LAB_HALF2(name, instruction, type) \
    LAB_FN type name(type a, type b)       \
    {                                      \
        type x;                            \
        asm(instruction " %0, %1, %2;"     \
            : "=h"(x.bits)                 \
            : "h"(a.bits), "h"(b.bits));   \
        return x;                          \
    }
#define LAB_HALF3(name, instruction, type)            \
    LAB_FN type name(type a, type b, type c)          \
    {                                                 \
        type x;                                       \
        asm(instruction " %0, %1, %2, %3;"            \
            : "=h"(x.bits)                            \
            : "h"(a.bits), "h"(b.bits), "h"(c.bits)); \
        return x;                                     \
    }

/* Comparisons go through float, which loses nothing. */
#define LAB_HALF_REST(type)                                \
    LAB_FN type operator+(type a, type b)                  \
    {                                                      \
        return __hadd(a, b);                               \
    }                                                      \
    LAB_FN type operator-(type a, type b)                  \
    {                                                      \
        return __hsub(a, b);                               \
    }                                                      \
    LAB_FN type operator*(type a, type b)                  \
    {                                                      \
        return __hmul(a, b);                               \
    }                                                      \
    LAB_FN type operator/(type a, type b)                  \
    {                                                      \
        return type((float)a / (float)b);                  \
    }                                                      \
    LAB_FN type operator-(type a)                          \
    {                                                      \
        return __hneg(a);                                  \
    }                                                      \
    LAB_FN type &operator+=(type &a, type b)               \
    {                                                      \
        return a = __hadd(a, b);                           \
    }                                                      \
    LAB_FN type &operator-=(type &a, type b)               \
    {                                                      \
        return a = __hsub(a, b);                           \
    }                                                      \
    LAB_FN type &operator*=(type &a, type b)               \
    {                                                      \
        return a = __hmul(a, b);                           \
    }                                                      \
    LAB_FN type &operator/=(type &a, type b)               \
    {                                                      \
        return a = a / b;                                  \
    }                                                      \
    LAB_FN bool operator==(type a, type b)                 \
    {                                                      \
        return (float)a == (float)b;                       \
    }                                                      \
    LAB_FN bool operator!=(type a, type b)                 \
    {                                                      \
        return (float)a != (float)b;                       \
    }                                                      \
    LAB_FN bool operator<(type a, type b)                  \
    {                                                      \
        return (float)a < (float)b;                        \
    }                                                      \
    LAB_FN bool operator>(type a, type b)                  \
    {                                                      \
        return (float)a > (float)b;                        \
    }                                                      \
    LAB_FN bool operator<=(type a, type b)                 \
    {                                                      \
        return (float)a <= (float)b;                       \
    }                                                      \
    LAB_FN bool operator>=(type a, type b)                 \
    {                                                      \
        return (float)a >= (float)b;                       \
    }                                                      \
    LAB_FN type __hdiv(type a, type b)                     \
    {                                                      \
        return a / b;                                      \
    }                                                      \
    LAB_FN bool __heq(type a, type b)                      \
    {                                                      \
        return a == b;                                     \
    }                                                      \
    LAB_FN bool __hne(type a, type b)                      \
    {                                                      \
        return (a < b) || (a > b);                         \
    }                                                      \
    LAB_FN bool __hlt(type a, type b)                      \
    {                                                      \
        return a < b;                                      \
    }                                                      \
    LAB_FN bool __hgt(type a, type b)                      \
    {                                                      \
        return a > b;                                      \
    }                                                      \
    LAB_FN bool __hle(type a, type b)                      \
    {                                                      \
        return a <= b;                                     \
    }                                                      \
    LAB_FN bool __hge(type a, type b)                      \
    {                                                      \
        return a >= b;                                     \
    }                                                      \
    LAB_FN bool __hisnan(type a)                           \
    {                                                      \
        return isnan((float)a);                            \
    }                                                      \
    LAB_HALF_SHUFFLE(__shfl_sync, type, int)               \
    LAB_HALF_SHUFFLE(__shfl_up_sync, type, unsigned int)   \
    LAB_HALF_SHUFFLE(__shfl_down_sync, type, unsigned int) \
    LAB_HALF_SHUFFLE(__shfl_xor_sync, type, int)

#define LAB_HALF_SHUFFLE(name, type, second)                                   \
    LAB_FN type name(unsigned int mask, type value, second lane,               \
                     int width = 32)                                           \
    {                                                                          \
        value.bits =                                                           \
            (unsigned short)name(mask, (unsigned int)value.bits, lane, width); \
        return value;                                                          \
    }

/* The pair. t2 is its name in functions (half2). */
#define LAB_HALF_PAIR(type, t, pair, t2)             \
    struct __attribute__((aligned(4))) pair {        \
        type x, y;                                   \
    };                                               \
    LAB_FN unsigned int lab_##t2##_bits(pair v)      \
    {                                                \
        return __builtin_bit_cast(unsigned int, v);  \
    }                                                \
    LAB_FN pair __halves2##t2(type x, type y)        \
    {                                                \
        return pair{x, y};                           \
    }                                                \
    LAB_FN pair __##t##2##t2(type x)                 \
    {                                                \
        return pair{x, x};                           \
    }                                                \
    LAB_FN pair __float2##t2##_rn(float x)           \
    {                                                \
        return pair{type(x), type(x)};               \
    }                                                \
    LAB_FN pair __floats2##t2##_rn(float x, float y) \
    {                                                \
        return pair{type(x), type(y)};               \
    }                                                \
    LAB_FN float2 __##t##22float2(pair v)            \
    {                                                \
        return float2{(float)v.x, (float)v.y};       \
    }                                                \
    LAB_FN type __low2##t(pair v)                    \
    {                                                \
        return v.x;                                  \
    }                                                \
    LAB_FN type __high2##t(pair v)                   \
    {                                                \
        return v.y;                                  \
    }                                                \
    LAB_FN float __low2float(pair v)                 \
    {                                                \
        return (float)v.x;                           \
    }                                                \
    LAB_FN float __high2float(pair v)                \
    {                                                \
        return (float)v.y;                           \
    }

#define LAB_PAIR2(name, instruction, pair)               \
    LAB_FN pair name(pair a, pair b)                     \
    {                                                    \
        unsigned int x;                                  \
        asm(instruction " %0, %1, %2;"                   \
            : "=r"(x)                                    \
            : "r"(__builtin_bit_cast(unsigned int, a)),  \
              "r"(__builtin_bit_cast(unsigned int, b))); \
        return __builtin_bit_cast(pair, x);              \
    }
#define LAB_PAIR3(name, instruction, pair)               \
    LAB_FN pair name(pair a, pair b, pair c)             \
    {                                                    \
        unsigned int x;                                  \
        asm(instruction " %0, %1, %2, %3;"               \
            : "=r"(x)                                    \
            : "r"(__builtin_bit_cast(unsigned int, a)),  \
              "r"(__builtin_bit_cast(unsigned int, b)),  \
              "r"(__builtin_bit_cast(unsigned int, c))); \
        return __builtin_bit_cast(pair, x);              \
    }

#endif
