/* The table of stages, and how people name a stage. */
#include "lab/stage.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

START_TEST(all_names_find_their_stage)
{
    const struct stage *s = &stages[_i];
    char number[16], path[80];
    struct error e;

    ck_assert_ptr_eq(stage_find(s->name, &e), s);
    ck_assert_ptr_eq(stage_find(stage_short(s, number, 16), &e), s);
    ck_assert_ptr_eq(stage_find(strchr(s->name, '_') + 1, &e), s);
    snprintf(path, sizeof path, "labs/%s/", s->name);
    ck_assert_ptr_eq(stage_find(path, &e), s);
}
END_TEST

START_TEST(beginnings)
{
    struct error e;

    ck_assert_str_eq(stage_find("seq", &e)->name, "v3_sequential");
    ck_assert_str_eq(stage_find("V3_SEQ", &e)->name, "v3_sequential");
    ck_assert_ptr_null(stage_find("v", &e)); /* more than one */
    ck_assert_ptr_nonnull(strstr(e.text, "more than one"));
}
END_TEST

START_TEST(did_you_mean)
{
    struct error e;

    ck_assert_ptr_null(stage_find("sequental", &e));
    ck_assert_ptr_nonnull(strstr(e.text, "did you mean v3_sequential"));
    ck_assert_ptr_null(stage_find("v9", &e));
    ck_assert_ptr_nonnull(strstr(e.text, "v0 to v6"));
    ck_assert_ptr_null(stage_find("", &e));
    ck_assert_ptr_null(stage_find("something quite different", &e));
}
END_TEST

START_TEST(paths_are_no_stages)
{
    ck_assert(stage_is_path("a.cu") && stage_is_path("x/y") &&
              stage_is_path("a.ptx"));
    ck_assert(!stage_is_path("v3") && !stage_is_path("v3_sequential") &&
              !stage_is_path(".cu"));
}
END_TEST

/* Every block that the grader tries is accepted, and every idea fits the
 * tables. */
START_TEST(rows_are_whole)
{
    const struct stage *s = &stages[_i];
    struct error e;
    bool has_default = false;

    for (const uint32_t *b = s->blocks; *b; b++) {
        ck_assert(stage_block_check(s, *b, &e));
        ck_assert(b[1] == 0 || b[0] < b[1]);
        has_default = has_default || *b == s->default_block;
    }
    ck_assert(has_default);
    ck_assert_uint_le(strlen(s->idea), 40);
    for (int level = 0; level < HINT_LEVELS; level++)
        ck_assert_ptr_nonnull(s->hints[level]);
    ck_assert(s->items >= 1 && s->folded >= 1 && s->points > 0);
}
END_TEST

START_TEST(blocks_that_are_refused)
{
    struct error e;
    const struct stage *v0 = stage_find("v0", &e), *v3 = stage_find("v3", &e),
                       *v5 = stage_find("v5", &e);

    ck_assert(stage_block_check(v0, 96, &e) && !stage_block_check(v0, 33, &e));
    ck_assert(!stage_block_check(v0, 0, &e) &&
              !stage_block_check(v0, 1056, &e));
    ck_assert(!stage_block_check(v3, 96, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "powers of two from 32 to 1024"));
    ck_assert(!stage_block_check(v5, 32, &e));
}
END_TEST

START_TEST(points_make_a_hundred)
{
    int points = 0;
    for (int i = 0; i < stage_count; i++)
        if (stages[i].name[0] == 'v') /* x1 and x2 come on top */
            points += stages[i].points;
    ck_assert_int_eq(points, 100);
}
END_TEST

START_TEST(grids)
{
    struct error e;
    struct device *d = device_open("sim", &e);

    ck_assert_uint_eq(stage_grid(stage_find("v3", &e), d, 0, 256, 1024), 1);
    ck_assert_uint_eq(stage_grid(stage_find("v3", &e), d, 257, 256, 1024), 2);
    ck_assert_uint_eq(stage_grid(stage_find("v4", &e), d, 512, 256, 1024), 1);
    ck_assert_uint_eq(stage_grid(stage_find("v4", &e), d, 513, 256, 1024), 2);
    /* 8 blocks of 256 on each of 132 SMs, and no more than needed */
    const struct stage *v6 = stage_find("v6", &e);
    ck_assert_uint_eq(stage_grid(v6, d, 1 << 24, 256, 1024), 1056);
    ck_assert_uint_eq(stage_grid(v6, d, 1000, 256, 1024), 4);
    ck_assert_uint_eq(stage_grid(v6, d, UINT64_MAX, 32, 128), 132 * 32);
    ck_assert_uint_eq(stage_grid(NULL, d, UINT64_MAX, 1, 4), UINT64_MAX);
    device_close(d);
}
END_TEST

START_TEST(sizes_rise)
{
    uint64_t sizes[STAGE_SIZES];
    bool has_zero = false, has_tile = false;

    for (const uint32_t *b = stages[_i].blocks; *b; b++) {
        int count = stage_sizes(&stages[_i], *b, sizes);
        for (int k = 0; k < count; k++) {
            ck_assert(k == 0 || sizes[k] > sizes[k - 1]);
            has_zero = has_zero || sizes[k] == 0;
            has_tile =
                has_tile || sizes[k] == (uint64_t)*b * stages[_i].items + 1;
        }
        ck_assert(has_zero && has_tile);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lab stage");
    TCase *tests = tcase_create("stage");
    tcase_add_loop_test(tests, all_names_find_their_stage, 0, stage_count);
    tcase_add_test(tests, beginnings);
    tcase_add_test(tests, did_you_mean);
    tcase_add_test(tests, paths_are_no_stages);
    tcase_add_loop_test(tests, rows_are_whole, 0, stage_count);
    tcase_add_test(tests, blocks_that_are_refused);
    tcase_add_test(tests, points_make_a_hundred);
    tcase_add_test(tests, grids);
    tcase_add_loop_test(tests, sizes_rise, 0, stage_count);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
