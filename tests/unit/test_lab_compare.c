/* The tolerance: right kernels pass in any order, and a kernel that drops one
 * element fails for every data set where it can be seen.  And the words for
 * a wrong sum. */
#include "base/random.h"
#include "lab/compare.h"
#include "lab/data.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static float *made(enum data_kind kind, uint64_t seed, uint64_t n)
{
    float *x = malloc((n + 1) * sizeof *x);
    data_fill(kind, seed, n, 0, n, x);
    return x;
}

static struct expected expected_of(enum data_kind kind, const float *x,
                                   uint64_t n, uint64_t chain)
{
    struct exact_sum s = {0};
    exact_add(&s, x, n);
    return expect_sum(&s, chain,
                      kind == DATA_INTEGERS ? ELEMENTS_WHOLE
                      : kind == DATA_ONES   ? ELEMENTS_ONES
                      : kind == DATA_RANDOM ? ELEMENTS_MIXED
                                            : ELEMENTS_ANY);
}

/* Adds as v1 does: a tree over `block` elements, then one after the other. */
static float sum_tree(const float *x, uint64_t n, uint64_t block)
{
    float sum = 0;
    for (uint64_t i = 0; i < n; i += block)
        sum += sum_pairwise_float(x + i, n - i < block ? n - i : block);
    return sum;
}

static void shuffle(float *x, uint64_t n, uint64_t seed)
{
    struct random r = {seed};
    for (uint64_t i = n; i > 1; i--) {
        uint64_t k = random_below(&r, i);
        float t = x[k];
        x[k] = x[i - 1];
        x[i - 1] = t;
    }
}

START_TEST(right_sums_pass)
{
    static const uint64_t sizes[] = {0, 1, 2, 33, 1000, 65537, 10000000};

    for (int i = 0; i < 7; i++) {
        uint64_t n = sizes[i];
        for (uint64_t seed = 0; seed < (n < 100000 ? 20 : 2); seed++) {
            float *x = made((enum data_kind)_i, seed, n);
            struct expected one = expected_of((enum data_kind)_i, x, n, n);
            struct expected tree =
                expected_of((enum data_kind)_i, x, n, n / 32 + 32);
            float serial = sum_serial_float(x, n);
            ck_assert_msg(value_is_right(&one, serial),
                          "n %llu: %.9g for %.17g, %g allowed",
                          (unsigned long long)n, (double)serial, one.value,
                          one.tolerance);
            ck_assert(value_is_right(&tree, sum_tree(x, n, 32)));
            ck_assert(value_is_right(&tree, sum_tree(x, n, 256)));
            if (n <= 100000)
                shuffle(x, n, seed);
            ck_assert(value_is_right(&one, sum_serial_float(x, n)));
            free(x);
        }
    }
}
END_TEST

/* Where it can be seen: the element is larger than twice the tolerance. */
START_TEST(a_dropped_element_fails)
{
    static const uint64_t sizes[] = {1, 2, 33, 1000, 4099};
    enum data_kind kind = (enum data_kind)_i;

    if (kind == DATA_NAN || kind == DATA_INF)
        return;
    for (int i = 0; i < 5; i++) {
        uint64_t n = sizes[i], seen = 0;
        float *x = made(kind, 11, n);
        struct expected want = expected_of(kind, x, n, n);
        for (uint64_t drop = 0; drop < n; drop++) {
            float kept = x[drop];
            x[drop] = 0;
            float got = sum_pairwise_float(x, n);
            x[drop] = kept;
            if (fabs((double)kept) <= 2 * want.tolerance || kept == 0)
                continue;
            seen++;
            ck_assert_msg(!value_is_right(&want, got), "element %llu of %llu",
                          (unsigned long long)drop, (unsigned long long)n);
        }
        /* spike and cancel hide small elements beside large ones */
        if (kind != DATA_SPIKE && kind != DATA_CANCEL)
            ck_assert_msg(seen >= n - n / 10, "only %llu of %llu are seen",
                          (unsigned long long)seen, (unsigned long long)n);
        free(x);
    }
}
END_TEST

START_TEST(integers_have_no_tolerance)
{
    float *x = made(DATA_INTEGERS, 1, 10000000);
    struct expected want = expected_of(DATA_INTEGERS, x, 10000000, 10000000);

    ck_assert(want.tolerance == 0);
    ck_assert(value_is_right(&want, (float)want.value));
    ck_assert(!value_is_right(&want, (float)want.value + 1));
    free(x);
}
END_TEST

START_TEST(nan_and_inf_only_where_expected)
{
    const struct expected nan = {.value = NAN}, inf = {.value = INFINITY},
                          one = {.value = 1, .tolerance = 0.5};

    ck_assert(value_is_right(&nan, NAN));
    ck_assert(!value_is_right(&nan, 0) && !value_is_right(&nan, INFINITY));
    ck_assert(value_is_right(&inf, INFINITY));
    ck_assert(!value_is_right(&inf, -INFINITY) && !value_is_right(&inf, NAN));
    ck_assert(!value_is_right(&one, NAN) && !value_is_right(&one, INFINITY));
    ck_assert(value_is_right(&one, 1.5f) && !value_is_right(&one, 1.6f));
}
END_TEST

/* ---- words ------------------------------------------------------------------- */

static void expect_words(enum data_kind kind, const float *x, uint64_t n,
                         float got, const char *words)
{
    char text[300];
    struct expected want = expected_of(kind, x, n, n);

    value_diagnose(&want, got, x, n, 256, text, sizeof text);
    ck_assert_msg(strstr(text, words) != NULL, "'%s' for '%s'", text, words);
}

START_TEST(wrong_sums_are_named)
{
    enum { N = 1000 };
    float *x = made(DATA_INTEGERS, 21, N), *r = made(DATA_RAMP, 21, N);
    float all = sum_serial_float(x, N), every = 0, truncated = 0;

    for (int i = 0; i < N; i += 256)
        every += x[i];
    for (int i = 0; i < N; i++)
        truncated += truncf(r[i]);
    expect_words(DATA_INTEGERS, x, N, all, "");
    expect_words(DATA_INTEGERS, x, N, 0, "nothing was added");
    expect_words(DATA_INTEGERS, x, N, N, "n itself");
    expect_words(DATA_INTEGERS, x, N, NAN, "NaN");
    expect_words(DATA_INTEGERS, x, N, all - x[7], "in[7] =");
    expect_words(DATA_INTEGERS, x, N, all - x[7], "missing");
    expect_words(DATA_INTEGERS, x, N, all + x[500], "added twice");
    expect_words(DATA_INTEGERS, x, N, sum_serial_float(x, 256),
                 "first 256 elements");
    expect_words(DATA_INTEGERS, x, N, every, "in[0], in[256], in[512]");
    expect_words(DATA_INTEGERS, x, N, 3 * all, "3 times the right sum");
    expect_words(DATA_RAMP, r, N, truncated, "int");
    free(x);
    free(r);
}
END_TEST

START_TEST(ones_stick_at_2_to_24)
{
    const struct expected want = {.value = 2e7, .magnitude = 2e7};
    char text[300];

    value_diagnose(&want, 0x1p24f, NULL, 20000000, 256, text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "2^24"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lab compare");
    TCase *tests = tcase_create("compare");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, right_sums_pass, 0, DATA_KINDS);
    tcase_add_loop_test(tests, a_dropped_element_fails, 0, DATA_KINDS);
    tcase_add_test(tests, integers_have_no_tolerance);
    tcase_add_test(tests, nan_and_inf_only_where_expected);
    tcase_add_test(tests, wrong_sums_are_named);
    tcase_add_test(tests, ones_stick_at_2_to_24);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
