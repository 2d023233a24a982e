/* The approximate functions: within the ISA's bound of the true value (PTX ISA
 * 9.7.3, 9.7.4), with its special values, and the same bits at every level. */
#include "tests/unit/test_alu.h"
#include <math.h>

static double f32(uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float x;
    memcpy(&x, &word, sizeof x);
    return x;
}
static double f64(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static double f16(uint64_t bits)
{
    double size = (bits & 0x7c00) ? ldexp(1024 + (bits & 0x3ff),
                                          (int)(bits >> 10 & 31) - 25)
                                  : ldexp((double)(bits & 0x3ff), -24);
    size = (bits & 0x7c00) != 0x7c00 ? size : bits & 0x3ff ? NAN : INFINITY;
    return bits & 0x8000 ? -size : size;
}
static double bf16(uint64_t bits)
{
    return f32(bits << 16);
}

static double ex2(double a, double b)
{
    (void)b;
    return exp2(a);
}
static double lg2(double a, double b)
{
    (void)b;
    return log2(a);
}
static double sine(double a, double b)
{
    (void)b;
    return sin(a);
}
static double cosine(double a, double b)
{
    (void)b;
    return cos(a);
}
static double reciprocal(double a, double b)
{
    (void)b;
    return 1 / a;
}
static double root(double a, double b)
{
    (void)b;
    return sqrt(a);
}
static double inverse_root(double a, double b)
{
    (void)b;
    return 1 / sqrt(a);
}
static double hyperbolic(double a, double b)
{
    (void)b;
    return tanh(a);
}
static double quotient(double a, double b)
{
    return a / b;
}

/* Checked where lowest <= |a| <= highest, and the result is a normal number:
 * |error| <= 2^relative * |true value| + 2^absolute. */
static const struct row {
    struct form form;
    double (*read)(uint64_t);
    double (*truth)(double, double);
    double relative, absolute, lowest, highest;
} rows[] = {
    {{"ex2.approx.f32", "rr", 0, F32}, f32, ex2, -22, -140, 0, 125},
    {{"ex2.approx.ftz.f32", "rr", 0, F32}, f32, ex2, -22, -140, 0, 125},
    {{"lg2.approx.f32", "rr", 0, F32}, f32, lg2, -22, -22, 0, INFINITY},
    {{"lg2.approx.ftz.f32", "rr", 0, F32}, f32, lg2, -22, -22, 0x1p-126, 1e38},
    {{"sin.approx.f32", "rr", 0, F32}, f32, sine, -200, -20.5, 0, 6.28},
    {{"cos.approx.f32", "rr", 0, F32}, f32, cosine, -200, -20.5, 0, 6.28},
    {{"sin.approx.f32", "rr", 0, F32}, f32, sine, -200, -14.7, 0, 314},
    {{"rcp.approx.f32", "rr", 0, F32}, f32, reciprocal, -23, -150, 0, 1e38},
    {{"sqrt.approx.f32", "rr", 0, F32}, f32, root, -23, -150, 0, 1e38},
    {{"rsqrt.approx.f32", "rr", 0, F32},
     f32,
     inverse_root,
     -22.9,
     -150,
     0,
     1e38},
    {{"tanh.approx.f32", "rr", 0, F32}, f32, hyperbolic, -11, -150, 0, 1e38},
    {{"div.full.f32", "rrr", 0, F32}, f32, quotient, -22, -140, 0, 1e38},
    {{"div.approx.f32", "rrr", 0, F32}, f32, quotient, -22, -140, 0, 1e38},
    {{"rcp.approx.ftz.f64", "dd", 0, F64},
     f64,
     reciprocal,
     -19,
     -1000,
     0x1p-1000,
     0x1p1000},
    {{"rsqrt.approx.ftz.f64", "dd", 0, F64},
     f64,
     inverse_root,
     -19,
     -1000,
     0x1p-1000,
     0x1p1000},
    {{"rsqrt.approx.f64", "dd", 0, F64},
     f64,
     inverse_root,
     -51,
     -1000,
     0x1p-1000,
     0x1p1000},
    {{"ex2.approx.f16", "hh", 0, F16}, f16, ex2, -9.9, -24, 0, 15},
    {{"tanh.approx.f16", "hh", 0, F16}, f16, hyperbolic, -10.9, -24, 0, 1e5},
    {{"ex2.approx.ftz.bf16", "hh", 0, BF16}, bf16, ex2, -7, -120, 0, 120},
    {{"tanh.approx.bf16", "hh", 0, BF16}, bf16, hyperbolic, -8, -120, 0, 1e38},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* What is exact: infinities, zeros, NaN, subnormals, signs. */
static const struct special {
    struct form form;
    uint64_t a, b, result;
} specials[] = {
    {{"ex2.approx.f32", "rr", 0, F32}, 0xff800000, 0, 0},
    {{"ex2.approx.f32", "rr", 0, F32}, 0x7f800000, 0, 0x7f800000},
    {{"ex2.approx.f32", "rr", 0, F32}, 0x80000001, 0, 0x3f800000},
    {{"ex2.approx.f32", "rr", 0, F32}, 0x7fc12345, 0, 0x7fffffff},
    {{"ex2.approx.ftz.f32", "rr", 0, F32}, 0xc2fe0000, 0, 0},
    {{"ex2.approx.f32", "rr", 0, F32}, 0xc2fe0000, 0, 0x00400000},
    {{"lg2.approx.f32", "rr", 0, F32}, 0, 0, 0xff800000},
    {{"lg2.approx.f32", "rr", 0, F32}, 0x80000000, 0, 0xff800000},
    {{"lg2.approx.f32", "rr", 0, F32}, 0xbf800000, 0, 0x7fffffff},
    {{"lg2.approx.f32", "rr", 0, F32}, 0x7f800000, 0, 0x7f800000},
    {{"lg2.approx.f32", "rr", 0, F32}, 1, 0, 0xc3150000},
    {{"lg2.approx.ftz.f32", "rr", 0, F32}, 1, 0, 0xff800000},
    {{"sin.approx.f32", "rr", 0, F32}, 0x80000000, 0, 0x80000000},
    {{"sin.approx.f32", "rr", 0, F32}, 0x7f800000, 0, 0x7fffffff},
    {{"sin.approx.ftz.f32", "rr", 0, F32}, 0x80000001, 0, 0x80000000},
    {{"cos.approx.f32", "rr", 0, F32}, 0x80000001, 0, 0x3f800000},
    {{"cos.approx.f32", "rr", 0, F32}, 0xff800000, 0, 0x7fffffff},
    {{"tanh.approx.f32", "rr", 0, F32}, 0xff800000, 0, 0xbf800000},
    {{"tanh.approx.f32", "rr", 0, F32}, 0x80000000, 0, 0x80000000},
    {{"rcp.approx.f32", "rr", 0, F32}, 0x80000000, 0, 0xff800000},
    {{"rcp.approx.ftz.f32", "rr", 0, F32}, 0x7f000000, 0, 0},
    {{"sqrt.approx.f32", "rr", 0, F32}, 0x80000000, 0, 0x80000000},
    {{"sqrt.approx.f32", "rr", 0, F32}, 0xbf800000, 0, 0x7fffffff},
    {{"rsqrt.approx.f32", "rr", 0, F32}, 0x80000000, 0, 0xff800000},
    {{"rsqrt.approx.f32", "rr", 0, F32}, 0x7f800000, 0, 0},
    {{"div.approx.f32", "rrr", 0, F32}, 0x3f800000, 0x7e800001, 0},
    {{"div.approx.f32", "rrr", 0, F32}, 0x7f800000, 0x7e800001, 0x7fffffff},
    {{"rcp.approx.ftz.f64", "dd", 0, F64},
     UINT64_C(1) << 63,
     0,
     0xfff0000000000000},
    {{"rcp.approx.ftz.f64", "dd", 0, F64},
     0x7ff8000000012345,
     0,
     0x7fffffff00000000},
};
enum { SPECIAL_COUNT = sizeof specials / sizeof *specials };

static const struct form *form(int i)
{
    return i < ROW_COUNT ? &rows[i].form : &specials[i - ROW_COUNT].form;
}
static struct ptx_program *program;
static const struct ptx_insn *insn(int i)
{
    return &ptx_find_function(program, "k")->insns[i];
}
static void load(void)
{
    program = load_forms(form, ROW_COUNT + SPECIAL_COUNT);
}
static void unload(void)
{
    ptx_free(program);
}

static void check_bound(const struct row *row, uint64_t a_bits, uint64_t b_bits,
                        uint64_t bits)
{
    double a = row->read(a_bits), b = row->read(b_bits);
    double truth = row->truth(a, b), got = row->read(bits);
    double limit = fabs(truth) * exp2(row->relative) + exp2(row->absolute);
    double smallest = row->read == f64 ? 0x1p-1022 : 0x1p-126;
    bool is_plain = isfinite(a) && isfinite(truth) && fabs(truth) < 3e38;
    bool is_normal = fabs(a) >= smallest || row->lowest == 0;
    /* 1 / a of a huge divisor b is subnormal: div.approx gives 0 (special) */
    bool is_huge = row->truth == quotient && !(fabs(b) <= 0x1p126);
    if (is_plain && is_normal && !is_huge && fabs(a) >= row->lowest &&
        fabs(a) <= row->highest && !(row->read == f64 && fabs(truth) < 1e-300))
        ck_assert_msg(fabs(got - truth) <= limit,
                      "%s of %.9g, %.9g: %.9g, %.9g", row->form.text, a, b, got,
                      truth);
}

START_TEST(keeps_the_bound)
{
    static struct inputs in;
    const struct row *row = &rows[_i];
    const char *letters = row->form.operands;
    for (int level = 0; level < LEVELS; level++)
        for (uint64_t round = 0; use_level(level) && round < 8; round++) {
            struct running run = find(&row->form, insn(_i));
            struct lanes s[4] = {0}, d = {0};
            uint32_t none;
            fill_inputs(&in, row->form.family);
            if (round > 0)
                fill_random(&in, row->form.family, round);
            for (int at = 0; at < INPUT_COUNT; at += LANES) {
                load_sources(s, &row->form, &in, at);
                compute(&run, &row->form, s, &d, &none);
                for (int i = 0; i < LANES; i++)
                    check_bound(row, get(&s[0], letters[1], i),
                                get(&s[1], letters[2], i),
                                get(&d, letters[0], i));
            }
        }
}
END_TEST

START_TEST(has_the_special_value)
{
    const struct special *x = &specials[_i];
    for (int level = 0; level < LEVELS; level++) {
        if (!use_level(level))
            continue;
        struct running run = find(&x->form, insn(ROW_COUNT + _i));
        struct lanes s[4] = {0}, d = {0};
        uint32_t none;
        for (int i = 0; i < LANES; i++) {
            put(&s[0], x->form.operands[1], i, x->a);
            put(&s[1], x->form.operands[1], i, x->b);
        }
        compute(&run, &x->form, s, &d, &none);
        for (int i = 0; i < LANES; i++)
            ck_assert_msg(get(&d, x->form.operands[0], i) == x->result,
                          "%s %#lx gives %#lx, not %#lx (%s)", x->form.text,
                          x->a, get(&d, x->form.operands[0], i), x->result,
                          level_names[level]);
    }
}
END_TEST

static uint64_t hash_at_level(int i, int level)
{
    static struct inputs in;
    uint64_t hash = 0;
    if (!use_level(level))
        return 0;
    struct running run = find(form(i), insn(i));
    fill_inputs(&in, form(i)->family);
    for (int at = 0; at < INPUT_COUNT; at += LANES) {
        struct lanes s[4] = {0}, d = {0};
        uint32_t none;
        load_sources(s, form(i), &in, at);
        compute(&run, form(i), s, &d, &none);
        for (int k = 0; k < LANES; k++)
            hash = random_mix(hash ^ get(&d, form(i)->operands[0], k));
    }
    return hash;
}
START_TEST(is_the_same_at_every_level)
{
    uint64_t portable = hash_at_level(_i, 0);
    for (int level = 1; level < LEVELS; level++) {
        uint64_t hash = hash_at_level(_i, level);
        ck_assert_msg(hash == 0 || hash == portable, "%s differs at %s",
                      form(_i)->text, level_names[level]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("alu_approx");
    TCase *tests = tcase_create("approx");
    SRunner *runner = srunner_create(suite);
    tcase_add_unchecked_fixture(tests, load, unload);
    tcase_add_loop_test(tests, keeps_the_bound, 0, ROW_COUNT);
    tcase_add_loop_test(tests, has_the_special_value, 0, SPECIAL_COUNT);
    tcase_add_loop_test(tests, is_the_same_at_every_level, 0, ROW_COUNT);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
