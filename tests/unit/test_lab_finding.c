/* Findings are merged by place, counted, and sorted the same way whatever
 * order they came in; and JSON numbers read back exactly. */
#include "base/json.h"
#include "watch/finding.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static void add(struct finding_list *list, const char *kind, int line,
                int other_line, enum severity severity)
{
    struct finding f = {.kind = kind,
                        .severity = severity,
                        .file = "kernel.cu",
                        .line = line,
                        .other_line = other_line,
                        .message = "m"};
    finding_add(list, &f);
}

START_TEST(merged_by_place)
{
    struct finding_list list = {0};

    add(&list, "race", 14, 12, SEVERITY_ERROR);
    add(&list, "race", 14, 12, SEVERITY_ERROR);
    add(&list, "race", 14, 13, SEVERITY_ERROR);
    add(&list, "race", 15, 12, SEVERITY_ERROR);
    add(&list, "out-of-bounds", 14, 12, SEVERITY_ERROR);
    ck_assert_int_eq(list.count, 4);
    ck_assert_uint_eq(list.items[0].count, 2);
    finding_free(&list);
    ck_assert_int_eq(list.count, 0);
}
END_TEST

/* A race is seen from either side, and told in the words that ask for most. */
START_TEST(race_from_either_side)
{
    struct finding_list list = {0};
    struct finding f = {.kind = "race",
                        .file = "kernel.cu",
                        .line = 12,
                        .other_line = 14,
                        .has_other = true,
                        .message = "warp",
                        .weight = 1};
    finding_add(&list, &f);
    f.line = 14;
    f.other_line = 12;
    f.message = "block";
    f.weight = 2;
    finding_add(&list, &f);
    f.message = "later";
    finding_add(&list, &f);
    ck_assert_int_eq(list.count, 1);
    ck_assert_uint_eq(list.items[0].count, 3);
    ck_assert_str_eq(list.items[0].message, "block");
    ck_assert_int_eq(list.items[0].line, 14);
    f.has_other = false; /* no race: its lines have an order */
    f.kind = "barrier-divergence";
    finding_add(&list, &f);
    f.line = 12;
    f.other_line = 14;
    finding_add(&list, &f);
    ck_assert_int_eq(list.count, 3);
    finding_free(&list);
}
END_TEST

/* One that hangs on garbage goes away, the next one stays: it is not compared
 * with what has gone. */
START_TEST(settled_one_by_one)
{
    struct finding_list list = {0};
    struct finding f = {.kind = "uninitialized",
                        .file = "kernel.cu",
                        .line = 12,
                        .message = "if it matters",
                        .depends_on = GARBAGE_SHARED};
    finding_add(&list, &f);
    f.line = 14;
    f.message = "if it does not";
    f.if_harmless = true;
    finding_add(&list, &f);
    finding_settle(&list, GARBAGE_SHARED, false);
    ck_assert_int_eq(list.count, 1);
    ck_assert_str_eq(list.items[0].message, "if it does not");
    ck_assert_int_eq((int)list.items[0].depends_on, GARBAGE_NONE);
    finding_free(&list);
}
END_TEST

START_TEST(sorted_errors_first)
{
    struct finding_list list = {0}, other = {0};

    add(&list, "suspicious", 1, 0, SEVERITY_WARNING);
    add(&list, "race", 20, 0, SEVERITY_ERROR);
    add(&other, "race", 20, 0, SEVERITY_ERROR);
    add(&other, "race", 3, 0, SEVERITY_ERROR);
    finding_join(&list, &other);
    finding_sort(&list);
    ck_assert_int_eq(list.count, 3);
    ck_assert_int_eq(list.items[0].line, 3);
    ck_assert_int_eq(list.items[1].line, 20);
    ck_assert_uint_eq(list.items[1].count, 2);
    ck_assert_int_eq((int)list.items[2].severity, SEVERITY_WARNING);
    ck_assert_int_eq(finding_errors(&list), 2);
    finding_free(&list);
    finding_free(&other);
}
END_TEST

START_TEST(json_reads_back)
{
    static const double values[] = {0.1,
                                    1.0 / 3,
                                    5e-324,
                                    1.7976931348623157e308,
                                    -0.72404694557189941,
                                    0.00017752026};
    struct error e;
    char *text = NULL;
    size_t size;

    if (!json_available(&e))
        return;
    struct json *j = json_new();
    json_open_array(j, "values");
    for (int i = 0; i < 6; i++)
        json_add_real(j, NULL, values[i]);
    json_close(j);
    json_add_real(j, "bad", 0.0 / 0.0);
    json_add_text(j, "text", "\xff\"");
    FILE *out = open_memstream(&text, &size);
    ck_assert(json_print(j, out, &e));
    fclose(out);
    json_free(j);
    char *p = strchr(text, '[') + 1;
    for (int i = 0; i < 6; i++, p++)
        ck_assert(strtod(p, &p) == values[i]);
    ck_assert_ptr_nonnull(strstr(text, "\"bad\": \"nan\""));
    ck_assert_ptr_nonnull(strstr(text, "?\\\""));
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("findings");
    TCase *tests = tcase_create("findings");
    tcase_add_test(tests, merged_by_place);
    tcase_add_test(tests, race_from_either_side);
    tcase_add_test(tests, settled_one_by_one);
    tcase_add_test(tests, sorted_errors_first);
    tcase_add_test(tests, json_reads_back);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
