/* What the data sets promise in data.h. */
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

static bool same_bits(const void *a, const void *b, size_t bytes)
{
    return memcmp(a, b, bytes) == 0;
}

START_TEST(any_part_is_the_same)
{
    enum { N = 5000 };
    float part[1000];
    float *x = made((enum data_kind)_i, 9, N);

    for (uint64_t from = 0; from + 1000 <= N; from += 777) {
        data_fill((enum data_kind)_i, 9, N, from, 1000, part);
        ck_assert(same_bits(part, x + from, sizeof part));
    }
    free(x);
}
END_TEST

START_TEST(names_are_found)
{
    enum data_kind kind;
    struct error e;

    ck_assert(data_find(data_sets[_i].name, &kind, &e));
    ck_assert_int_eq((int)kind, _i);
}
END_TEST

START_TEST(other_names_get_a_suggestion)
{
    enum data_kind kind;
    struct error e;

    ck_assert(!data_find("intergers", &kind, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "did you mean 'integers'"));
    ck_assert(!data_find("everything", &kind, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "ones ramp random"));
}
END_TEST

/* ---- integers -------------------------------------------------------------- */

START_TEST(integers_sum_exactly)
{
    static const uint64_t sizes[] = {1, 2048, 1 << 20, 10000000, 20000000};

    for (int i = 0; i < 5; i++) {
        float *x = made(DATA_INTEGERS, (uint64_t)i, sizes[i]);
        struct exact_sum s = {0};
        exact_add(&s, x, sizes[i]);
        ck_assert(exact_positive(&s) <= 0x1p24);
        ck_assert(exact_negative(&s) <= 0x1p24);
        /* Then the plainest loop is exact, and so is any other order. */
        ck_assert((double)sum_serial_float(x, sizes[i]) == exact_double(&s));
        free(x);
    }
}
END_TEST

START_TEST(integers_have_no_zero)
{
    enum { N = 1 << 20 };
    float *x = made(DATA_INTEGERS, 4, N);

    for (int i = 0; i < N; i++)
        ck_assert(x[i] != 0 && x[i] == truncf(x[i]));
    free(x);
}
END_TEST

/* Reading one element twice in place of another changes the sum by the
 * difference of the two: for all pairs below 2048. */
START_TEST(integers_differ_below_2048)
{
    float *x = made(DATA_INTEGERS, 5, 2048);

    for (int i = 0; i < 2048; i++)
        ck_assert(fabsf(x[i]) == (float)(i + 1));
    free(x);
}
END_TEST

START_TEST(integers_move_beyond)
{
    enum { N = 1 << 20 };
    float *x = made(DATA_INTEGERS, 6, N);
    int same = 0;

    for (int i = 2048; i < N - 1; i++)
        same += x[i] == x[i + 1];
    ck_assert_int_lt(same, (N - 2048) / 5); /* about one in six */
    free(x);
}
END_TEST

/* ---- random ---------------------------------------------------------------- */

/* Which elements a dishonest kernel leaves out. */
static int left_out(int way, uint64_t i, uint64_t n)
{
    switch (way) {
    case 0: return i >= n - n / 100; /* the end */
    case 1: return i < n / 100;      /* the start */
    case 2: return i % 100 == 99;
    case 3: return i % 100 == 0;
    default: return i >= n / 2 && i < n / 2 + n / 100;
    }
}

/* Reads 99 % and rescales: the result must lie outside even the widest
 * tolerance, that of a kernel with one atomic an element. */
START_TEST(random_cannot_be_sampled)
{
    static const uint64_t sizes[] = {1000, 10000, 100003, 1 << 20, 10000000};
    uint64_t n = sizes[_i];
    float *x = made(DATA_RANDOM, 1, n);
    struct exact_sum all = {0};

    exact_add(&all, x, n);
    double tolerance = expect_sum(&all, n, ELEMENTS_MIXED).tolerance;
    for (int way = 0; way < 5; way++) {
        double sum = 0;
        uint64_t read = 0;
        for (uint64_t i = 0; i < n; i++) {
            if (left_out(way, i, n))
                continue;
            sum += (double)x[i];
            read++;
        }
        double rescaled = sum * (double)n / (double)read;
        ck_assert_msg(fabs(rescaled - exact_double(&all)) > tolerance,
                      "way %d, n %llu: off by %g, %g allowed", way,
                      (unsigned long long)n, rescaled - exact_double(&all),
                      tolerance);
    }
    free(x);
}
END_TEST

START_TEST(random_has_both_signs)
{
    float *x = made(DATA_RANDOM, 2, 10000);
    int minus = 0, whole = 0;

    for (int i = 0; i < 10000; i++) {
        ck_assert(isfinite(x[i]) && x[i] != 0);
        minus += x[i] < 0;
        whole += x[i] == truncf(x[i]);
    }
    ck_assert_int_gt(minus, 4800);
    ck_assert_int_lt(minus, 5200);
    ck_assert_int_lt(whole, 10);
    free(x);
}
END_TEST

/* ---- the others ------------------------------------------------------------- */

START_TEST(negative_is_below_zero)
{
    float *x = made(DATA_NEGATIVE, 3, 100000);

    for (int i = 0; i < 100000; i++)
        ck_assert(x[i] < 0 && x[i] > -1);
    free(x);
}
END_TEST

START_TEST(specials_come_once)
{
    static const uint64_t sizes[] = {1, 2, 33, 70000};

    for (int i = 0; i < 4; i++) {
        uint64_t n = sizes[i];
        uint64_t nans = 0, infs = 0, spikes = 0;
        float *nan = made(DATA_NAN, 1, n), *inf = made(DATA_INF, 1, n),
              *spike = made(DATA_SPIKE, 1, n);
        for (uint64_t k = 0; k < n; k++) {
            nans += isnan(nan[k]);
            infs += isinf(inf[k]) && inf[k] > 0;
            spikes += spike[k] == 0x1p20f;
        }
        ck_assert(nans == 1 && infs == 1 && spikes == 1);
        free(nan);
        free(inf);
        free(spike);
    }
}
END_TEST

START_TEST(cancel_cancels)
{
    float *x = made(DATA_CANCEL, 1, 100000);
    struct exact_sum s = {0};

    exact_add(&s, x, 100000);
    ck_assert(fabs(exact_double(&s)) < 0.01 * exact_magnitude(&s));
    free(x);
}
END_TEST

START_TEST(seeds_differ)
{
    float *a = made(DATA_RANDOM, 1, 1000), *b = made(DATA_RANDOM, 2, 1000);

    ck_assert(!same_bits(a, b, 1000 * sizeof *a));
    free(a);
    free(b);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lab data");
    TCase *tests = tcase_create("data");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, any_part_is_the_same, 0, DATA_KINDS);
    tcase_add_loop_test(tests, names_are_found, 0, DATA_KINDS);
    tcase_add_test(tests, other_names_get_a_suggestion);
    tcase_add_test(tests, integers_sum_exactly);
    tcase_add_test(tests, integers_have_no_zero);
    tcase_add_test(tests, integers_differ_below_2048);
    tcase_add_test(tests, integers_move_beyond);
    tcase_add_loop_test(tests, random_cannot_be_sampled, 0, 5);
    tcase_add_test(tests, random_has_both_signs);
    tcase_add_test(tests, negative_is_below_zero);
    tcase_add_test(tests, specials_come_once);
    tcase_add_test(tests, cancel_cancels);
    tcase_add_test(tests, seeds_differ);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
