/* lab_types.cuh: integer names, limits, vectors of 1 to 4 values, dim3.
 *
 * A vector's alignment decides whether it can be loaded in one instruction:
 * 2 and 4 values are aligned to their size, at most 16 bytes; 3 values to one.
 */
#ifndef LAB_TYPES_CUH
#define LAB_TYPES_CUH

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#ifndef NULL
#define NULL 0
#endif
#define offsetof(type, member) __builtin_offsetof(type, member)

#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MAX 2147483647
#define INT32_MIN (-INT32_MAX - 1)
#define UINT32_MAX 4294967295u
#define INT64_MAX 9223372036854775807l
#define INT64_MIN (-INT64_MAX - 1)
#define UINT64_MAX 18446744073709551615ul
#define SIZE_MAX UINT64_MAX
#define CHAR_BIT 8
#define SCHAR_MIN INT8_MIN
#define SCHAR_MAX INT8_MAX
#define UCHAR_MAX UINT8_MAX
#define CHAR_MIN INT8_MIN
#define CHAR_MAX INT8_MAX
#define SHRT_MIN INT16_MIN
#define SHRT_MAX INT16_MAX
#define USHRT_MAX UINT16_MAX
#define INT_MIN INT32_MIN
#define INT_MAX INT32_MAX
#define UINT_MAX UINT32_MAX
#define LONG_MIN INT64_MIN
#define LONG_MAX INT64_MAX
#define ULONG_MAX UINT64_MAX
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-LLONG_MAX - 1)
#define ULLONG_MAX 18446744073709551615ull

#define FLT_RADIX 2
#define FLT_MANT_DIG __FLT_MANT_DIG__
#define FLT_DIG __FLT_DIG__
#define FLT_MIN __FLT_MIN__
#define FLT_MAX __FLT_MAX__
#define FLT_EPSILON __FLT_EPSILON__
#define FLT_TRUE_MIN __FLT_DENORM_MIN__
#define DBL_MANT_DIG __DBL_MANT_DIG__
#define DBL_DIG __DBL_DIG__
#define DBL_MIN __DBL_MIN__
#define DBL_MAX __DBL_MAX__
#define DBL_EPSILON __DBL_EPSILON__
#define DBL_TRUE_MIN __DBL_DENORM_MIN__
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VALF (__builtin_huge_valf())
#define HUGE_VAL (__builtin_huge_val())
#define CUDART_INF_F INFINITY
#define CUDART_INF (__builtin_inf())
#define CUDART_NAN_F NAN
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_LOG2E 1.4426950408889634074
#define M_SQRT2 1.41421356237309504880

/* name1..name4 and their make_ functions; at2 and at4 are the alignments. */
#define LAB_VECTORS(type, name, at2, at4)                         \
    struct name##1                                                \
    {                                                             \
        type x;                                                   \
    };                                                            \
    struct __attribute__((aligned(at2))) name##2                  \
    {                                                             \
        type x, y;                                                \
    };                                                            \
    struct name##3                                                \
    {                                                             \
        type x, y, z;                                             \
    };                                                            \
    struct __attribute__((aligned(at4))) name##4                  \
    {                                                             \
        type x, y, z, w;                                          \
    };                                                            \
    LAB_FN name##1 make_##name##1(type x)                         \
    {                                                             \
        return name##1 {x};                                       \
    }                                                             \
    LAB_FN name##2 make_##name##2(type x, type y)                 \
    {                                                             \
        return name##2 {x, y};                                    \
    }                                                             \
    LAB_FN name##3 make_##name##3(type x, type y, type z)         \
    {                                                             \
        return name##3 {x, y, z};                                 \
    }                                                             \
    LAB_FN name##4 make_##name##4(type x, type y, type z, type w) \
    {                                                             \
        return name##4 {x, y, z, w};                              \
    }

LAB_VECTORS(signed char, char, 2, 4)
LAB_VECTORS(unsigned char, uchar, 2, 4)
LAB_VECTORS(short, short, 4, 8)
LAB_VECTORS(unsigned short, ushort, 4, 8)
LAB_VECTORS(int, int, 8, 16)
LAB_VECTORS(unsigned int, uint, 8, 16)
LAB_VECTORS(long, long, 16, 16)
LAB_VECTORS(unsigned long, ulong, 16, 16)
LAB_VECTORS(long long, longlong, 16, 16)
LAB_VECTORS(unsigned long long, ulonglong, 16, 16)
LAB_VECTORS(float, float, 8, 16)
LAB_VECTORS(double, double, 16, 16)

struct dim3 {
    unsigned int x, y, z;
    LAB_MEMBER constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1,
                              unsigned int z_ = 1)
        : x(x_), y(y_), z(z_)
    {
    }
    LAB_MEMBER constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    LAB_MEMBER constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
};

#endif
