/* The exact sum: against sums that are known, and against __float128 where
 * that is wide enough. */
#include "base/random.h"
#include "lab/reference.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct exact_sum sum_of(const float *x, uint64_t n)
{
    struct exact_sum s = {0};
    exact_add(&s, x, n);
    return s;
}

START_TEST(nothing_is_zero)
{
    struct exact_sum s = {0};
    ck_assert(exact_double(&s) == 0 && !signbit(exact_double(&s)));
    ck_assert(exact_float(&s) == 0);
}
END_TEST

START_TEST(zeros_of_both_signs)
{
    const float x[] = {-0.0f, -0.0f, 0.0f};
    struct exact_sum s = sum_of(x, 3);
    ck_assert(exact_float(&s) == 0);
    ck_assert(exact_magnitude(&s) == 0);
}
END_TEST

START_TEST(small_survives_large)
{
    const float x[] = {0x1p100f, 1.5f, -0x1p100f, FLT_TRUE_MIN};
    struct exact_sum s = sum_of(x, 4);
    ck_assert(exact_float(&s) == 1.5f);
    ck_assert(exact_double(&s) == 1.5); /* 2^-149 is far below the last bit */
    const float y[] = {FLT_MAX, FLT_TRUE_MIN, -FLT_MAX};
    s = sum_of(y, 3);
    ck_assert(exact_float(&s) == FLT_TRUE_MIN);
}
END_TEST

START_TEST(ties_go_to_even)
{
    /* 2^24 + 1 lies between two floats; one bit more decides. */
    const float x[] = {0x1p24f, 1.0f, FLT_TRUE_MIN};
    struct exact_sum tie = sum_of(x, 2), above = sum_of(x, 3);
    ck_assert(exact_float(&tie) == 0x1p24f);
    ck_assert(exact_float(&above) == 0x1p24f + 2);
    const float odd[] = {0x1p24f + 2, 1.0f};
    struct exact_sum up = sum_of(odd, 2);
    ck_assert(exact_float(&up) == 0x1p24f + 4);
    const float minus[] = {-0x1p24f, -1.0f};
    struct exact_sum down = sum_of(minus, 2);
    ck_assert(exact_float(&down) == -0x1p24f);
}
END_TEST

START_TEST(beyond_the_largest_float)
{
    const float x[] = {FLT_MAX, FLT_MAX, -FLT_MAX};
    struct exact_sum two = sum_of(x, 2), one = sum_of(x, 3);
    ck_assert(isinf(exact_float(&two)));
    ck_assert(exact_double(&two) == 2 * (double)FLT_MAX);
    ck_assert(exact_float(&one) == FLT_MAX);
}
END_TEST

START_TEST(nan_and_infinity)
{
    const float x[] = {1.0f, INFINITY, NAN, -INFINITY};
    struct exact_sum inf = sum_of(x, 2), nan = sum_of(x, 3);
    ck_assert(exact_double(&inf) == (double)INFINITY);
    ck_assert(exact_magnitude(&inf) == 1);
    ck_assert(isnan(exact_double(&nan)));
    const float both[] = {INFINITY, -INFINITY};
    struct exact_sum undefined = sum_of(both, 2);
    ck_assert(isnan(exact_float(&undefined)));
}
END_TEST

/* Floats whose exponents span `span`, of both signs. */
static void fill(float *x, uint64_t n, uint64_t seed, int span)
{
    for (uint64_t i = 0; i < n; i++) {
        uint64_t bits = random_at(seed, i);
        int exponent = (int)(bits >> 40) % span - span / 2;
        float m = 1 + (float)(bits & 0x7fffff) * 0x1p-23f;
        x[i] = ldexpf(bits & 0x800000 ? -m : m, exponent);
    }
}

START_TEST(equals_float128)
{
    enum { N = 4096 };
    float x[N];

    /* 24 bits, exponents over 40, 2^12 of them: 76 of its 113 bits. */
    for (uint64_t seed = 0; seed < 200; seed++) {
        __float128 wide = 0, magnitude = 0;
        uint64_t n = seed < 20 ? seed : N;
        fill(x, n, seed, 40);
        for (uint64_t i = 0; i < n; i++) {
            wide += (__float128)x[i];
            magnitude += (__float128)fabsf(x[i]);
        }
        struct exact_sum s = sum_of(x, n);
        ck_assert(exact_double(&s) == (double)wide);
        ck_assert(exact_float(&s) == (float)wide);
        ck_assert(exact_magnitude(&s) == (double)magnitude);
        ck_assert(exact_positive(&s) - exact_negative(&s) == exact_double(&s) ||
                  fabs(exact_positive(&s) - exact_negative(&s) -
                       exact_double(&s)) <= 0x1p-50 * exact_magnitude(&s));
    }
}
END_TEST

START_TEST(order_does_not_matter)
{
    enum { N = 70001 };
    float *x = malloc(2 * N * sizeof *x), *y = x + N;
    struct exact_sum one_by_one = {0};

    fill(x, N, 7, 250);
    for (int i = 0; i < N; i++) {
        y[i] = x[N - 1 - i];
        exact_add_one(&one_by_one, x[i]);
    }
    struct exact_sum a = sum_of(x, N), b = sum_of(y, N);
    ck_assert(memcmp(&a, &b, sizeof a) == 0);
    ck_assert(memcmp(&a, &one_by_one, sizeof a) == 0);
    free(x);
}
END_TEST

START_TEST(every_float_is_its_own_sum)
{
    for (uint64_t i = 0; i < 200000; i++) {
        uint32_t bits = (uint32_t)random_at(3, i);
        float x;
        memcpy(&x, &bits, sizeof x);
        struct exact_sum s = sum_of(&x, 1);
        if (isnan(x))
            ck_assert(isnan(exact_float(&s)));
        else
            ck_assert(exact_float(&s) == x);
    }
}
END_TEST

START_TEST(other_ways_of_adding)
{
    enum { N = 1 << 20 };
    float *x = malloc(N * sizeof *x);

    for (int i = 0; i < N; i++)
        x[i] = 0.1f;
    struct exact_sum s = sum_of(x, N);
    double right = exact_double(&s);
    double serial = fabs((double)sum_serial_float(x, N) - right);
    double pairwise = fabs((double)sum_pairwise_float(x, N) - right);
    double wide = fabs(sum_serial_double(x, N) - right);
    ck_assert(wide < 1e-5 && pairwise < 0.1 && serial > 100 * pairwise);
    ck_assert(sum_pairwise_float(x, 0) == 0);
    free(x);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lab reference");
    TCase *tests = tcase_create("exact sum");
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, nothing_is_zero);
    tcase_add_test(tests, zeros_of_both_signs);
    tcase_add_test(tests, small_survives_large);
    tcase_add_test(tests, ties_go_to_even);
    tcase_add_test(tests, beyond_the_largest_float);
    tcase_add_test(tests, nan_and_infinity);
    tcase_add_test(tests, equals_float128);
    tcase_add_test(tests, order_does_not_matter);
    tcase_add_test(tests, every_float_is_its_own_sum);
    tcase_add_test(tests, other_ways_of_adding);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
