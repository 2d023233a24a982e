/* Bars and progress: never more than 80 columns, no escapes but on a
 * terminal, lengths as the values say. */
#include "lab/chart.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What chart_bars prints into a file, line by line. */
static int print_bars(const struct chart_bar *bars, int count, bool is_log,
                      char lines[][200])
{
    FILE *file = tmpfile();
    int n = 0;
    ck_assert_ptr_nonnull(file);
    chart_bars(file, bars, count, is_log);
    rewind(file);
    while (n < count && fgets(lines[n], 200, file)) {
        lines[n][strcspn(lines[n], "\n")] = '\0';
        n++;
    }
    fclose(file);
    return n;
}

static int marks(const char *line)
{
    int n = 0;
    for (; *line; line++)
        n += *line == '#';
    return n;
}

START_TEST(bars_are_as_long_as_their_values)
{
    const struct chart_bar bars[] = {{"one", "1", 1},
                                     {"half", "0.5", 0.5},
                                     {"tiny", "0.0001", 0.0001},
                                     {"none", "nan", NAN}};
    char lines[4][200];
    ck_assert_int_eq(print_bars(bars, 4, false, lines), 4);
    int whole = marks(lines[0]);
    ck_assert_int_eq(whole, 80 - 4 - 6 - 4);
    ck_assert_int_eq(marks(lines[1]), whole / 2);
    ck_assert_int_eq(marks(lines[2]), 1); /* there is something */
    ck_assert_int_eq(marks(lines[3]), 0);
    ck_assert_str_eq(lines[3], "none   nan");
}
END_TEST

START_TEST(logarithms)
{
    const struct chart_bar bars[] = {
        {"a", "1", 1}, {"b", "10", 10}, {"c", "100", 100}};
    char lines[3][200];
    print_bars(bars, 3, true, lines);
    int a = marks(lines[0]), b = marks(lines[1]), c = marks(lines[2]);
    ck_assert_int_gt(a, 1);
    ck_assert_int_le(abs((c - b) - (b - a)), 1); /* a decade is a decade */
}
END_TEST

START_TEST(eighty_columns_and_no_escape)
{
    struct chart_bar bars[2] = {{"", "", 1e300}, {"", "", 1e-300}};
    char lines[2][200];
    memset(bars[0].label, 'x', sizeof bars[0].label - 1);
    memset(bars[1].text, '9', sizeof bars[1].text - 1);
    for (int is_log = 0; is_log < 2; is_log++) {
        ck_assert_int_eq(print_bars(bars, 2, is_log, lines), 2);
        for (int i = 0; i < 2; i++) {
            ck_assert_uint_le(strlen(lines[i]), CHART_COLUMNS);
            ck_assert_ptr_null(strchr(lines[i], '\033'));
        }
    }
}
END_TEST

START_TEST(time_left)
{
    static const struct {
        double share, elapsed_s;
        const char *ends;
    } cases[] = {
        {0, 5, "  0 %"},
        {0.01, 5, "  1 %"}, /* too early to say */
        {0.25, 5, " 25 %, 15 s left"},
        {0.5, 300, " 50 %, 5 min left"},
        {0.1, 7200, " 10 %, 18.0 h left"},
        {1, 5, "100 %, 0 s left"},
        {1.5, 5, "100 %, 0 s left"},
        {NAN, 5, "  0 %"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[CHART_COLUMNS];
        ticker_text("a name that is far too long to fit here", cases[i].share,
                    cases[i].elapsed_s, line, sizeof line);
        size_t length = strlen(line), end = strlen(cases[i].ends);
        ck_assert_uint_lt(length, CHART_COLUMNS);
        ck_assert_msg(!strcmp(line + length - end, cases[i].ends),
                      "case %zu: %s", i, line);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("chart");
    TCase *all = tcase_create("chart");
    tcase_add_test(all, bars_are_as_long_as_their_values);
    tcase_add_test(all, logarithms);
    tcase_add_test(all, eighty_columns_and_no_escape);
    tcase_add_test(all, time_left);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
