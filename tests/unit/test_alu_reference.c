/* The arithmetic against a second, plain way of computing the same: long
 * division bit by bit, the loops of the ISA's pseudo-code, searching for the
 * nearest representable number.  Edge values in pairs, then random ones. */
#include "tests/unit/test_alu.h"
#include <fenv.h>
#include <float.h>
#include <math.h>

#if defined(__clang__)
#pragma STDC FENV_ACCESS ON
#endif

#ifndef RANDOM_ROUNDS
#define RANDOM_ROUNDS 4 /* sanitizers take ten times as long, and do with 1 */
#endif
typedef uint64_t reference_fn(uint64_t a, uint64_t b, uint64_t c);

/* ---- integers -------------------------------------------------------------- */
/* Digit by digit, as on paper: the low `bits` of a number. */
static uint64_t low_bits(uint64_t x, int bits)
{
    return bits == 64 ? x : x & ((UINT64_C(1) << bits) - 1);
}
static int64_t signed_value(uint64_t x, int bits)
{
    uint64_t top = UINT64_C(1) << (bits - 1);
    return (int64_t)((low_bits(x, bits) ^ top) - top);
}
static unsigned __int128 paper_product(uint64_t a, uint64_t b)
{
    unsigned __int128 sum = 0;
    for (int i = 0; i < 64; i++)
        if (b >> i & 1)
            sum += (unsigned __int128)a << i;
    return sum;
}
static unsigned __int128 paper_signed_product(int64_t a, int64_t b)
{
    uint64_t size_a = a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
    uint64_t size_b = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    unsigned __int128 product = paper_product(size_a, size_b);
    return (a < 0) != (b < 0) ? 0 - product : product;
}
/* The quotient; the remainder through `rest`.  By zero both are all ones. */
static uint64_t paper_division(uint64_t a, uint64_t b, uint64_t *rest)
{
    unsigned __int128 left = 0;
    uint64_t quotient = 0;
    for (int i = 63; i >= 0; i--) {
        left = left << 1 | (a >> i & 1);
        quotient <<= 1;
        if (b != 0 && left >= b)
            left -= b, quotient |= 1;
    }
    *rest = b ? (uint64_t)left : UINT64_MAX;
    return b ? quotient : UINT64_MAX;
}
static uint64_t paper_signed(uint64_t a, uint64_t b, int bits, bool wants_rest)
{
    int64_t x = signed_value(a, bits), y = signed_value(b, bits);
    uint64_t rest, quotient;
    quotient = paper_division(x < 0 ? 0 - (uint64_t)x : (uint64_t)x,
                              y < 0 ? 0 - (uint64_t)y : (uint64_t)y, &rest);
    if (y == 0)
        return low_bits(UINT64_MAX, bits);
    quotient = (x < 0) != (y < 0) ? 0 - quotient : quotient;
    rest = x < 0 ? 0 - rest : rest;
    return low_bits(wants_rest ? rest : quotient, bits);
}
#define REFERENCE(name, expression)                          \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c) \
    {                                                        \
        (void)a, (void)b, (void)c;                           \
        return (expression);                                 \
    }
#define DIVISIONS(bits)                                             \
    static uint64_t div_u##bits(uint64_t a, uint64_t b, uint64_t c) \
    {                                                               \
        return (void)c, low_bits(paper_division(a, b, &c), bits);   \
    }                                                               \
    static uint64_t rem_u##bits(uint64_t a, uint64_t b, uint64_t c) \
    {                                                               \
        paper_division(a, b, &c);                                   \
        return low_bits(c, bits);                                   \
    }                                                               \
    REFERENCE(div_s##bits, paper_signed(a, b, bits, false))         \
    REFERENCE(rem_s##bits, paper_signed(a, b, bits, true))
DIVISIONS(16)
DIVISIONS(32)
DIVISIONS(64)
#define PRODUCTS(bits)                                                       \
    REFERENCE(mul_lo_u##bits, low_bits((uint64_t)paper_product(a, b), bits)) \
    REFERENCE(mul_hi_u##bits,                                                \
              low_bits((uint64_t)(paper_product(a, b) >> bits), bits))       \
    REFERENCE(                                                               \
        mul_hi_s##bits,                                                      \
        low_bits((uint64_t)(paper_signed_product(signed_value(a, bits),      \
                                                 signed_value(b, bits)) >>   \
                            bits),                                           \
                 bits))
PRODUCTS(16)
PRODUCTS(32)
PRODUCTS(64)
REFERENCE(mul_wide_s32, (uint64_t)paper_signed_product(signed_value(a, 32),
                                                       signed_value(b, 32)))

/* The ISA's pseudo-code, bit by bit (9.7.1). */
static uint64_t bfe_bits(uint64_t a, uint64_t pos, uint64_t len, int bits,
                         bool is_signed)
{
    uint64_t d = 0, last = pos + len - 1;
    uint64_t top = last < (uint64_t)bits - 1 ? last : (uint64_t)bits - 1;
    uint64_t fill = is_signed && len ? a >> top & 1 : 0;
    for (uint64_t i = 0; i < (uint64_t)bits; i++) {
        bool inside = i < len && pos + i < (uint64_t)bits;
        d |= (inside ? a >> (pos + i) & 1 : fill) << i;
    }
    return d;
}
REFERENCE(bfe_u32, bfe_bits(a, b & 255, c & 255, 32, false))
REFERENCE(bfe_s32, bfe_bits(a, b & 255, c & 255, 32, true))
REFERENCE(bfe_u64, bfe_bits(a, b, c, 64, false))
REFERENCE(bfe_s64, bfe_bits(a, b, c, 64, true))
static uint64_t prmt_bytes(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t all = b << 32 | a, d = 0;
    for (int i = 0; i < 4; i++) {
        int selector = (int)(c >> (4 * i) & 15);
        uint64_t byte = all >> (8 * (selector & 7)) & 255;
        if (selector & 8)
            byte = byte & 128 ? 255 : 0;
        d |= byte << (8 * i);
    }
    return d;
}
static uint64_t brev_32(uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, c = 0;
    for (int i = 0; i < 32; i++)
        c |= (a >> i & 1) << (31 - i);
    return c;
}
static uint64_t clz_64(uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    uint64_t n = 0;
    while (n < 64 && !(a >> (63 - n) & 1))
        n++;
    return n;
}
static uint64_t popc_64(uint64_t a, uint64_t b, uint64_t c)
{
    for (b = c = 0; b < 64; b++)
        c += a >> b & 1;
    return c;
}
REFERENCE(shl_32, b > 31 ? 0 : low_bits(a << b, 32))
REFERENCE(shr_s64, (uint64_t)((int64_t)a >> (b > 63 ? 63 : b)))

/* ---- f32 and f64: the CPU, one number at a time ----------------------------- */
static float f32(uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float x;
    memcpy(&x, &word, sizeof x);
    return x;
}
static uint64_t bits_f32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x == x ? bits : 0x7fffffff;
}
static double f64(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
#define ROUNDED(name, mode, operation)                        \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c)  \
    {                                                         \
        volatile float A = f32(a), B = f32(b), C = f32(c), d; \
        fesetround(mode);                                     \
        d = operation;                                        \
        fesetround(FE_TONEAREST);                             \
        (void)B, (void)C;                                     \
        return bits_f32(d);                                   \
    }
#define ALL_MODES(name, operation)               \
    ROUNDED(name##_rn, FE_TONEAREST, operation)  \
    ROUNDED(name##_rz, FE_TOWARDZERO, operation) \
    ROUNDED(name##_rm, FE_DOWNWARD, operation)   \
    ROUNDED(name##_rp, FE_UPWARD, operation)
ALL_MODES(add_f32, A + B)
ALL_MODES(mul_f32, (A * B))
ALL_MODES(fma_f32, fmaf(A, B, C))
ALL_MODES(div_f32, A / B)
ALL_MODES(sqrt_f32, sqrtf(A))

/* ---- rounding by search ------------------------------------------------------ */
/* A format with its numbers in order: of non-negative bits, each is larger than
 * the one before.  `read` gives the exact value. */
struct format {
    uint64_t infinity, sign, nan;
    long double (*read)(uint64_t bits);
};
static long double read_small(uint64_t bits, int fraction, int bias)
{
    int exponent = (int)(bits >> fraction);
    uint64_t part = low_bits(bits, fraction);
    uint64_t whole = exponent ? part | UINT64_C(1) << fraction : part;
    return ldexpl((long double)whole,
                  (exponent ? exponent : 1) - bias - fraction);
}
static long double read_f16(uint64_t bits)
{
    return read_small(bits, 10, 15);
}
static long double read_bf16(uint64_t bits)
{
    return read_small(bits, 7, 127);
}
static long double read_f32(uint64_t bits)
{
    return read_small(bits, 23, 127);
}
static const struct format f16_format = {0x7c00, 0x8000, 0x7fff, read_f16};
static const struct format bf16_format = {0x7f80, 0x8000, 0x7fff, read_bf16};
static const struct format f32_format = {0x7f800000, 0x80000000, 0x7fffffff,
                                         read_f32};

/* The largest number of the format that is not above `size`: by bisection.
 * Infinity stands for the power of two that would follow. */
static uint64_t below_or_equal(const struct format *f, long double size)
{
    uint64_t low = 0, high = f->infinity;
    if (size >= f->read(f->infinity))
        return f->infinity;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (f->read(middle) <= size)
            low = middle;
        else
            high = middle;
    }
    return low;
}
static uint64_t nearest(const struct format *f, long double x, char mode)
{
    if (x != x)
        return f->nan;
    bool negative = signbit(x);
    long double size = fabsl(x);
    uint64_t low = below_or_equal(f, size), sign = negative ? f->sign : 0;
    long double gap = f->read(low + 1) - f->read(low);
    long double rest = size - f->read(low);
    bool up = mode == 'n'   ? rest * 2 > gap || (rest * 2 == gap && (low & 1))
              : mode == 'z' ? false
                            : rest > 0 && negative == (mode == 'm');
    if (isinf(x))
        return sign | f->infinity;
    if (low >= f->infinity)
        low = f->infinity - 1,
        up = mode == 'n' || (mode != 'z' && negative == (mode == 'm'));
    return sign | (low + up);
}

/* Halves: sums and products of two are exact in a long double's 64 bits for
 * f16; of bf16 only products are. */
static long double half(const struct format *f, uint64_t bits)
{
    uint64_t size = bits & 0x7fff;
    long double x = size > f->infinity    ? NAN
                    : size == f->infinity ? INFINITY
                                          : f->read(size);
    return bits & 0x8000 ? -x : x;
}
#define F16(x) half(&f16_format, x)
#define BF16(x) half(&bf16_format, x)
REFERENCE(add_f16, nearest(&f16_format, F16(a) + F16(b), 'n'))
REFERENCE(mul_f16, nearest(&f16_format, F16(a) * F16(b), 'n'))
REFERENCE(mul_bf16, nearest(&bf16_format, BF16(a) * BF16(b), 'n'))
/* a b + c may need more bits.  What a long double cannot hold is too small to
 * matter, but for which side of a middle the sum lies on: an inexact sum is
 * given an odd last bit, which no middle has. */
static bool has_odd_last_bit(long double x)
{
    int exponent;
    long double digits = ldexpl(frexpl(x, &exponent), LDBL_MANT_DIG);
    return fabsl(fmodl(digits, 2)) == 1;
}
static long double sum_with_hint(long double p, long double c)
{
    long double sum = p + c, part = sum - p;
    long double lost = (p - (sum - part)) + (c - part);
    if (!(lost > 0 || lost < 0) || has_odd_last_bit(sum))
        return sum;
    return nextafterl(sum, lost > 0 ? INFINITY : -INFINITY);
}
REFERENCE(fma_f16,
          nearest(&f16_format, sum_with_hint(F16(a) * F16(b), F16(c)), 'n'))
REFERENCE(fma_bf16,
          nearest(&bf16_format, sum_with_hint(BF16(a) * BF16(b), BF16(c)), 'n'))

/* ---- conversions ------------------------------------------------------------- */
/* f64 NaN become narrow ones with their payload: a rule of its own. */
static uint64_t narrowed(const struct format *f, uint64_t a, char mode)
{
    double x = f64(a);
    if (x != x) {
        int drop = f == &f32_format ? 29 : f == &f16_format ? 42 : 45;
        uint64_t payload = low_bits(a, 52) >> drop, quiet = 1;
        while (quiet * 2 <= f->infinity && !(f->infinity & quiet * 2))
            quiet *= 2;
        return (a >> 63 ? f->sign : 0) | f->infinity | payload | quiet;
    }
    return nearest(f, (long double)x, mode);
}
REFERENCE(f32_rn_f64, narrowed(&f32_format, a, 'n'))
REFERENCE(f32_rz_f64, narrowed(&f32_format, a, 'z'))
REFERENCE(f32_rm_f64, narrowed(&f32_format, a, 'm'))
REFERENCE(f32_rp_f64, narrowed(&f32_format, a, 'p'))
REFERENCE(f16_rn_f64, narrowed(&f16_format, a, 'n'))
REFERENCE(f16_rp_f64, narrowed(&f16_format, a, 'p'))
REFERENCE(bf16_rn_f64, narrowed(&bf16_format, a, 'n'))
REFERENCE(f16_rn_f32, nearest(&f16_format, f32(a), 'n'))
REFERENCE(bf16_rz_f32, nearest(&bf16_format, f32(a), 'z'))
/* 64-bit integers fit in a long double */
REFERENCE(f32_rn_u64, nearest(&f32_format, (long double)a, 'n'))
REFERENCE(f32_rz_s64, nearest(&f32_format, (long double)(int64_t)a, 'z'))
REFERENCE(f32_rp_u64, nearest(&f32_format, (long double)a, 'p'))
REFERENCE(f16_rm_s64, nearest(&f16_format, (long double)(int64_t)a, 'm'))
REFERENCE(bf16_rn_u64, nearest(&bf16_format, (long double)a, 'n'))

static uint64_t to_integer(long double x, int bits, bool is_signed, char mode)
{
    long double whole = mode == 'z'   ? truncl(x)
                        : mode == 'm' ? floorl(x)
                        : mode == 'p' ? ceill(x)
                                      : rintl(x);
    long double lowest = is_signed ? -ldexpl(1, bits - 1) : 0;
    long double highest = ldexpl(1, is_signed ? bits - 1 : bits) - 1;
    whole = whole < lowest ? lowest : whole > highest ? highest : whole;
    return low_bits(whole < 0 ? 0 - (uint64_t)-whole : (uint64_t)whole, bits);
}
/* NaN: 0, but the top bit for f64 sources and 64-bit results (9.7.9). */
#define TO(name, read, bits, is_signed, mode, nan) \
    REFERENCE(name, read(a) != read(a)             \
                        ? (nan)                    \
                        : to_integer(read(a), bits, is_signed, mode))
TO(s32_rzi_f32, f32, 32, true, 'z', 0)
TO(u32_rni_f32, f32, 32, false, 'n', 0)
TO(u16_rpi_f32, f32, 16, false, 'p', 0)
TO(s64_rmi_f32, f32, 64, true, 'm', UINT64_C(1) << 63)
TO(u64_rzi_f64, f64, 64, false, 'z', UINT64_C(1) << 63)
TO(s64_rni_f64, f64, 64, true, 'n', UINT64_C(1) << 63)
TO(s32_rpi_f64, f64, 32, true, 'p', 0x80000000)
TO(u32_rmi_f64, f64, 32, false, 'm', 0x80000000)

/* ---- the rows ------------------------------------------------------------------ */
/* clang-format off */
static const struct row {
    struct form form;
    reference_fn *reference;
} rows[] = {
#define ROW(text, operands, family, reference)                               \
    {{text, operands, 0, family}, reference},
#define ROWS_INTEGER(bits, letters)                                          \
    ROW("div.u" #bits, letters, INT, div_u##bits)                            \
    ROW("rem.u" #bits, letters, INT, rem_u##bits)                            \
    ROW("div.s" #bits, letters, INT, div_s##bits)                            \
    ROW("rem.s" #bits, letters, INT, rem_s##bits)                            \
    ROW("mul.lo.s" #bits, letters, INT, mul_lo_u##bits)                      \
    ROW("mul.hi.u" #bits, letters, INT, mul_hi_u##bits)                      \
    ROW("mul.hi.s" #bits, letters, INT, mul_hi_s##bits)
    ROWS_INTEGER(16, "hhh")
    ROWS_INTEGER(32, "rrr")
    ROWS_INTEGER(64, "ddd")
    ROW("mul.wide.s32", "drr", INT, mul_wide_s32)
    ROW("bfe.u32", "rrrr", SMALL, bfe_u32)
    ROW("bfe.s32", "rrrr", SMALL, bfe_s32)
    ROW("bfe.u64", "ddrr", SMALL, bfe_u64)
    ROW("bfe.s64", "ddrr", SMALL, bfe_s64)
    ROW("prmt.b32", "rrrr", INT, prmt_bytes)
    ROW("brev.b32", "rr", INT, brev_32)
    ROW("clz.b64", "rd", INT, clz_64)
    ROW("popc.b64", "rd", INT, popc_64)
    ROW("shl.b32", "rrr", SMALL, shl_32)
    ROW("shr.s64", "ddr", SMALL, shr_s64)
#define ROWS_FLOAT(name, op, letters)                                        \
    ROW(name ".rn.f32", letters, F32, op##_rn)                               \
    ROW(name ".rz.f32", letters, F32, op##_rz)                               \
    ROW(name ".rm.f32", letters, F32, op##_rm)                               \
    ROW(name ".rp.f32", letters, F32, op##_rp)
    ROWS_FLOAT("add", add_f32, "rrr")
    ROWS_FLOAT("mul", mul_f32, "rrr")
    ROWS_FLOAT("fma", fma_f32, "rrrr")
    ROWS_FLOAT("div", div_f32, "rrr")
    ROWS_FLOAT("sqrt", sqrt_f32, "rr")
    ROW("add.f16", "hhh", F16, add_f16)
    ROW("mul.f16", "hhh", F16, mul_f16)
    ROW("mul.bf16", "hhh", BF16, mul_bf16)
    ROW("fma.rn.f16", "hhhh", F16, fma_f16)
    ROW("fma.rn.bf16", "hhhh", BF16, fma_bf16)
    ROW("cvt.rn.f32.f64", "rd", F64, f32_rn_f64)
    ROW("cvt.rz.f32.f64", "rd", F64, f32_rz_f64)
    ROW("cvt.rm.f32.f64", "rd", F64, f32_rm_f64)
    ROW("cvt.rp.f32.f64", "rd", F64, f32_rp_f64)
    ROW("cvt.rn.f16.f64", "hd", F64, f16_rn_f64)
    ROW("cvt.rp.f16.f64", "hd", F64, f16_rp_f64)
    ROW("cvt.rn.bf16.f64", "hd", F64, bf16_rn_f64)
    ROW("cvt.rn.f16.f32", "hr", F32, f16_rn_f32)
    ROW("cvt.rz.bf16.f32", "hr", F32, bf16_rz_f32)
    ROW("cvt.rn.f32.u64", "rd", INT, f32_rn_u64)
    ROW("cvt.rz.f32.s64", "rd", INT, f32_rz_s64)
    ROW("cvt.rp.f32.u64", "rd", INT, f32_rp_u64)
    ROW("cvt.rm.f16.s64", "hd", INT, f16_rm_s64)
    ROW("cvt.rn.bf16.u64", "hd", INT, bf16_rn_u64)
    ROW("cvt.rzi.s32.f32", "rr", F32, s32_rzi_f32)
    ROW("cvt.rni.u32.f32", "rr", F32, u32_rni_f32)
    ROW("cvt.rpi.u16.f32", "hr", F32, u16_rpi_f32)
    ROW("cvt.rmi.s64.f32", "dr", F32, s64_rmi_f32)
    ROW("cvt.rzi.u64.f64", "dd", F64, u64_rzi_f64)
    ROW("cvt.rni.s64.f64", "dd", F64, s64_rni_f64)
    ROW("cvt.rpi.s32.f64", "rd", F64, s32_rpi_f64)
    ROW("cvt.rmi.u32.f64", "rd", F64, u32_rmi_f64)
};
/* clang-format on */
enum { ROW_COUNT = sizeof rows / sizeof *rows };

static struct ptx_program *program;
static const struct form *form(int i)
{
    return &rows[i].form;
}
static void load(void)
{
    program = load_forms(form, ROW_COUNT);
}
static void unload(void)
{
    ptx_free(program);
}

static void compare(const struct row *row, const struct running *run,
                    const struct inputs *in, int level)
{
    const char *letters = row->form.operands;
    for (int at = 0; at < INPUT_COUNT; at += LANES) {
        struct lanes s[4] = {0}, d = {0};
        uint32_t second;
        load_sources(s, &row->form, in, at);
        compute(run, &row->form, s, &d, &second);
        for (int i = 0; i < LANES; i++) {
            uint64_t a = get(&s[0], letters[1], i);
            uint64_t b = letters[2] ? get(&s[1], letters[2], i) : 0;
            uint64_t c =
                letters[2] && letters[3] ? get(&s[2], letters[3], i) : 0;
            uint64_t want = row->reference(a, b, c);
            ck_assert_msg(get(&d, letters[0], i) == want,
                          "%s %#lx %#lx %#lx gives %#lx, not %#lx (%s)",
                          row->form.text, a, b, c, get(&d, letters[0], i), want,
                          level_names[level]);
        }
    }
}

START_TEST(equals_the_reference)
{
    static struct inputs in;
    const struct row *row = &rows[_i];
    const struct ptx_insn *insn = &ptx_find_function(program, "k")->insns[_i];
    for (int level = 0; level < LEVELS; level++) {
        if (!use_level(level))
            continue;
        struct running run = find(&row->form, insn);
        fill_inputs(&in, row->form.family);
        compare(row, &run, &in, level);
        for (int round = 0; round < RANDOM_ROUNDS; round++) {
            fill_random(&in, row->form.family, (uint64_t)(round + 100 * _i));
            compare(row, &run, &in, level);
        }
        ck_assert_int_eq(fegetround(), FE_TONEAREST); /* left as it was */
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("alu_reference");
    TCase *tests = tcase_create("reference");
    SRunner *runner = srunner_create(suite);
    tcase_add_unchecked_fixture(tests, load, unload);
    tcase_add_loop_test(tests, equals_the_reference, 0, ROW_COUNT);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
