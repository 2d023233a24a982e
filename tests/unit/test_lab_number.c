/* Numbers as people type them, and "did you mean". */
#include "lab/number.h"

#include <check.h>
#include <string.h>

static const struct {
    const char *text;
    uint64_t value;
} good[] = {
    {"0", 0},
    {"20000000", 20000000},
    {"20M", 20000000},
    {"20m", 20000000},
    {"64k", 64000},
    {"1G", 1000000000},
    {"1Ki", 1024},
    {"4Gi", 4294967296},
    {"2^24", 16777216},
    {"2^0", 1},
    {"10^6", 1000000},
    {"2^63", (uint64_t)1 << 63},
    {"1.5M", 1500000},
    {"0.001k", 1},
    {"1e6", 1000000},
    {"2.5e3", 2500},
    {"18446744073709551615", UINT64_MAX},
};

static const char *const bad[] = {
    "",
    "x",
    "12x",
    "-1",
    "+1",
    "1.5",
    "2^",
    "^2",
    "2^x",
    "1e",
    "1e-3",
    "M",
    "1MM",
    "0x10",
    "1 000",
    "1,000",
    "2^64",
    "1e99",
    "99999999999999999999999999999999999999999999",
    "1.5^2",
    "nan",
    "inf",
    "1Mx",
    "1e6M",
    ".",
    "1..5",
};

START_TEST(good_numbers)
{
    uint64_t value = 1;
    struct error e;

    ck_assert_msg(number_parse(good[_i].text, "--n", 0, UINT64_MAX, &value, &e),
                  "%s", e.text);
    ck_assert_uint_eq(value, good[_i].value);
}
END_TEST

START_TEST(bad_numbers)
{
    uint64_t value;
    struct error e = {""};

    ck_assert_msg(!number_parse(bad[_i], "--n", 0, UINT64_MAX, &value, &e),
                  "%s", bad[_i]);
    ck_assert_ptr_nonnull(strstr(e.text, "--n: "));
}
END_TEST

START_TEST(limits)
{
    uint64_t value;
    struct error e;

    ck_assert(!number_parse("0", "--block", 1, 1024, &value, &e));
    ck_assert(!number_parse("1025", "--block", 1, 1024, &value, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "1 to 1,024"));
    ck_assert(number_parse("1Ki", "--block", 1, 1024, &value, &e));
}
END_TEST

START_TEST(thousands)
{
    char text[32];

    ck_assert_str_eq(number_text(0, text, sizeof text), "0");
    ck_assert_str_eq(number_text(999, text, sizeof text), "999");
    ck_assert_str_eq(number_text(1000, text, sizeof text), "1,000");
    ck_assert_str_eq(number_text(10000000, text, sizeof text), "10,000,000");
}
END_TEST

START_TEST(distances)
{
    ck_assert_int_eq(edit_distance("check", "check"), 0);
    ck_assert_int_eq(edit_distance("chek", "check"), 1);
    ck_assert_int_eq(edit_distance("hcek", "check"), 2);
    ck_assert_int_eq(edit_distance("ehcck", "check"), 2);
    ck_assert_int_eq(edit_distance("V3", "v3"), 0);
    ck_assert_int_eq(edit_distance("", "abc"), 3);
    ck_assert_int_eq(edit_distance("abc", ""), 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lab number");
    TCase *tests = tcase_create("number");
    tcase_add_loop_test(tests, good_numbers, 0, sizeof good / sizeof good[0]);
    tcase_add_loop_test(tests, bad_numbers, 0, sizeof bad / sizeof bad[0]);
    tcase_add_test(tests, limits);
    tcase_add_test(tests, thousands);
    tcase_add_test(tests, distances);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
