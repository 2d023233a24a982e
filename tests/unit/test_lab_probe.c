/* Probing: kernels written in C that add each element a known number of
 * times. */
#include "lab/probe.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

struct fake {
    uint64_t wrong; /* this element is added `times` times */
    int times;
    uint64_t every; /* and all of these, if not 0 */
    float constant;
    int is_nonlinear;
};

static bool fake_run(void *data, const float *in, uint64_t n, float *out)
{
    const struct fake *f = data;
    float sum = f->constant;

    for (uint64_t i = 0; i < n; i++) {
        int times = i == f->wrong ? f->times : 1;
        if (f->every && i % f->every == 0)
            times = f->times;
        for (int k = 0; k < times; k++)
            sum += in[i];
    }
    *out = f->is_nonlinear ? sqrtf(sum) : sum;
    return true;
}

static struct probe probe(struct fake f, uint64_t n)
{
    float *scratch = malloc((n + 1) * sizeof *scratch);
    struct probe p = probe_elements(fake_run, &f, scratch, n);
    free(scratch);
    return p;
}

START_TEST(finds_each_single_element)
{
    static const int times[] = {0, 2, 3, 7, 8, 100};

    for (uint64_t n = 1; n < 70; n += 4)
        for (uint64_t at = 0; at < n; at++)
            for (int t = 0; t < 6; t++) {
                struct probe p =
                    probe((struct fake){.wrong = at, .times = times[t]}, n);
                ck_assert(p.is_proven && p.is_first);
                ck_assert_uint_eq(p.index, at);
                ck_assert_uint_eq(p.times, (unsigned)times[t]);
            }
}
END_TEST

START_TEST(a_right_kernel_has_none)
{
    static const uint64_t sizes[] = {0, 1, 8, 9, 2048, 2049, 100000};

    for (int i = 0; i < 7; i++) {
        struct probe p =
            probe((struct fake){.wrong = UINT64_MAX, .times = 1}, sizes[i]);
        ck_assert(!p.is_proven);
    }
}
END_TEST

START_TEST(counts_how_many)
{
    struct probe p =
        probe((struct fake){.wrong = UINT64_MAX, .times = 0, .every = 3}, 1000);
    ck_assert(p.is_proven && p.is_first && p.index == 0);
    ck_assert_uint_eq(p.missing, 334);
    ck_assert_uint_eq(p.doubled, 0);
}
END_TEST

START_TEST(finds_one_of_many)
{
    static const uint64_t at[] = {0, 1, 4095, 50000, 99999};

    for (int i = 0; i < 5; i++) {
        struct probe p =
            probe((struct fake){.wrong = at[i], .times = 2 * (i & 1)}, 100000);
        ck_assert(p.is_proven);
        ck_assert_uint_eq(p.index, at[i]);
        ck_assert_uint_eq(p.times, 2u * (i & 1));
        ck_assert_uint_lt(p.runs, 24);
    }
}
END_TEST

START_TEST(proves_nothing_about_other_functions)
{
    struct probe p =
        probe((struct fake){.wrong = 3, .times = 1, .is_nonlinear = 1}, 100);
    ck_assert(!p.is_proven);
    p = probe((struct fake){.wrong = 3, .times = 1, .constant = 5}, 100);
    ck_assert(!p.is_proven && p.constant == 5);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lab probe");
    TCase *tests = tcase_create("probe");
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, finds_each_single_element);
    tcase_add_test(tests, a_right_kernel_has_none);
    tcase_add_test(tests, counts_how_many);
    tcase_add_test(tests, finds_one_of_many);
    tcase_add_test(tests, proves_nothing_about_other_functions);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
