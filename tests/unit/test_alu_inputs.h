/* Operands for the tests of the arithmetic: all pairs of edge values first,
 * then random ones of a useful shape.  The values in test_alu_h200.inc were
 * computed from exactly these: who changes them has to measure again. */
#ifndef TEST_ALU_INPUTS_H
#define TEST_ALU_INPUTS_H

#include "base/random.h"
#include <stddef.h>

enum { INPUT_COUNT = 3072, EDGE_PAIRS = 2048 };
enum family { INT, SMALL, F32, F32C, F64, F16, BF16, F16X2, BF16X2, FAMILIES };
struct inputs {
    uint64_t a[INPUT_COUNT], b[INPUT_COUNT], c[INPUT_COUNT];
};

static const uint64_t edges_f32[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
    0x00800000, 0x80800000, 0x00800001, 0x00ffffff, 0x3f800000, 0xbf800000,
    0x3f7fffff, 0x3f800001, 0x3f000000, 0xbf000000, 0x3effffff, 0x3fc00000,
    0x40000000, 0xc0200000, 0x40490fdb, 0x42fe0000, 0x43000000, 0xc3000000,
    0x4effffff, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000, 0x5f000000,
    0x5f800000, 0x477fe000, 0x477ff000, 0x387fc000, 0x33000000, 0x7f7fffff,
    0xff7fffff, 0x7e800001, 0x7f800000, 0xff800000, 0x7f800001, 0x7fc12345,
    0xffc54321,
};
static const uint64_t edges_f64[] = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001,
    0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000,
    0x8010000000000000, 0x3ff0000000000000, 0xbff0000000000000,
    0x3fefffffffffffff, 0x3fe0000000000000, 0xbfe0000000000000,
    0x3ff8000000000000, 0x4004000000000000, 0x40effdffffffffff,
    0x41dfffffffc00000, 0x41dfffffffe00000, 0x41e0000000000000,
    0xc1e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000,
    0x41f0000000000000, 0x43dfffffffffffff, 0x43e0000000000000,
    0xc3e0000000000000, 0x43efffffffffffff, 0x43f0000000000000,
    0x47efffffefffffff, 0x47efffffe0000000, 0x47effffff0000000,
    0x380fffffffffffff, 0x36a0000000000000, 0x3690000000000000,
    0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000,
    0xfff0000000000000, 0x7ff0000000000001, 0x7ff8000000012345,
    0xfff8000000054321, 0xfff0000000000777, 0x7ff4123456789abc,
    0xfffabcdef1234567,
};
static const uint64_t edges_f16[] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400,
    0x8400, 0x3c00, 0xbc00, 0x3bff, 0x3c01, 0x3800, 0xb800,
    0x3e00, 0xc100, 0x57f8, 0x5800, 0x5bf8, 0x7bff, 0xfbff,
    0x7c00, 0xfc00, 0x7c01, 0x7e55, 0xfe33, 0x4248, 0x6400,
};
static const uint64_t edges_bf16[] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x807f, 0x0080, 0x8080,
    0x3f80, 0xbf80, 0x3f7f, 0x3f81, 0x3f00, 0xbf00, 0x3fc0, 0xc020,
    0x42fe, 0x4300, 0x4f00, 0x5f00, 0x7f7f, 0xff7f, 0x7f80, 0xff80,
    0x7f81, 0x7fd5, 0xffc3, 0x4049, 0x4780,
};
static const uint64_t edges_int[] = {
    0x0,
    0x1,
    0x2,
    0x3,
    0x7,
    0x8,
    0xa,
    0x7f,
    0x80,
    0xff,
    0x100,
    0x7fff,
    0x8000,
    0xffff,
    0x10000,
    0x7fffff,
    0x800000,
    0xffffff,
    0x1000000,
    0x7fffffff,
    0x80000000,
    0x80000001,
    0xfffffffe,
    0xffffffff,
    0x100000000,
    0x1fffffffffffff,
    0x20000000000001,
    0x7fffffffffffffff,
    0x8000000000000000,
    0x8000000000000001,
    0xfffffffffffffffe,
    0xffffffffffffffff,
    0xffffffff80000000,
    0xffffffffffff8000,
    0xffffffffffffff80,
    0xffffffff00000000,
    0xaaaaaaaaaaaaaaaa,
    0x8000000080000000,
    0x8000000000000401,
    0x80000000000003ff,
};
static const uint64_t edges_place[] = {
    0,  1,  2,  7,  8,   15,  16,  17,          31,         32,
    33, 63, 64, 65, 127, 255, 256, 0x100000004, 0xffffffff, 0xfffffff8,
};
#define EDGES(list) (list), sizeof(list) / sizeof *(list)

static inline uint64_t random_edge(struct random *r, const uint64_t *edges,
                                   size_t count)
{
    return edges[random_below(r, count)];
}

/* A float with `exponent` + `fraction` bits: any bits, or an exponent near 1
 * or near the ends of the range, often with a short fraction. */
static inline uint64_t random_float(struct random *r, int exponent,
                                    int fraction)
{
    uint64_t top = (UINT64_C(1) << exponent) - 1, bias = top / 2;
    uint64_t bits = random_next(r), e;
    uint64_t f = random_next(r) & ((UINT64_C(1) << fraction) - 1);
    uint64_t cut = random_below(r, 2) ? random_below(r, fraction) : 0;
    switch (random_below(r, 6)) {
    case 0: e = bits & top; break;
    case 1: e = random_below(r, 4); break;
    case 2: e = top - 1 - random_below(r, 4); break;
    case 3: e = bias + random_below(r, bias / 2 < 70 ? bias / 2 : 70); break;
    default: e = bias - 8 + random_below(r, 16); break;
    }
    return (bits >> 63) << (exponent + fraction) | e << fraction |
           f >> cut << cut;
}
static inline uint64_t random_integer(struct random *r)
{
    uint64_t bits = random_next(r), shift = random_below(r, 64);
    uint64_t x = bits >> shift;
    return random_below(r, 3) == 0 ? 0 - x : x;
}
static inline uint64_t random_place(struct random *r)
{
    return random_below(r, 2) ? random_below(r, 70)
                              : random_edge(r, EDGES(edges_place));
}

static inline uint64_t random_value(struct random *r, enum family f)
{
    switch (f) {
    case F32: return random_float(r, 8, 23);
    case F64: return random_float(r, 11, 52);
    case F16: return random_float(r, 5, 10);
    case BF16: return random_float(r, 8, 7);
    default: return random_integer(r);
    }
}

static inline void fill_edges(struct inputs *in, enum family f, int first,
                              const uint64_t *edges, size_t count)
{
    struct random r = {.state = 1000 + (uint64_t)f + 77 * (uint64_t)first};
    for (size_t i = 0; i < INPUT_COUNT; i++) {
        int is_edge = i < count * count && i < EDGE_PAIRS;
        size_t at = (i + (size_t)first) % (count * count);
        in->a[i] = is_edge ? edges[at / count] : random_value(&r, f);
        in->b[i] = is_edge ? edges[at % count] : random_value(&r, f);
        in->c[i] =
            is_edge ? random_edge(&r, edges, count) : random_value(&r, f);
    }
}
static inline void fill_simple(struct inputs *in, enum family f, int first)
{
    switch (f) {
    case F32: fill_edges(in, f, first, EDGES(edges_f32)); break;
    case F64: fill_edges(in, f, first, EDGES(edges_f64)); break;
    case F16: fill_edges(in, f, first, EDGES(edges_f16)); break;
    case BF16: fill_edges(in, f, first, EDGES(edges_bf16)); break;
    default: fill_edges(in, INT, first, EDGES(edges_int)); break;
    }
}

/* Pairs take two halves; SMALL has places and lengths in b and c; F32C has a
 * float in c only (slct). */
static inline void fill_inputs(struct inputs *in, enum family f)
{
    static struct inputs other;
    struct random r = {.state = (uint64_t)f};
    fill_simple(in, f == F16X2 ? F16 : f == BF16X2 ? BF16 : f, 0);
    fill_simple(&other, f == F16X2 ? F16 : f == BF16X2 ? BF16 : F32, 101);
    for (size_t i = 0; i < INPUT_COUNT; i++) {
        if (f == F16X2 || f == BF16X2) {
            in->a[i] |= other.a[i] << 16;
            in->b[i] |= other.b[i] << 16;
            in->c[i] |= other.c[i] << 16;
        } else if (f == SMALL) {
            in->b[i] = random_place(&r);
            in->c[i] = random_place(&r);
        } else if (f == F32C) {
            in->c[i] = other.a[i];
        }
    }
}

/* Only random values, others for every seed. */
static inline void fill_random(struct inputs *in, enum family f, uint64_t seed)
{
    struct random r = {.state = random_mix(seed + 1)};
    for (size_t i = 0; i < INPUT_COUNT; i++) {
        in->a[i] = random_value(&r, f);
        in->b[i] = f == SMALL ? random_place(&r) : random_value(&r, f);
        in->c[i] = f == SMALL ? random_place(&r) : random_value(&r, f);
    }
}

#endif
