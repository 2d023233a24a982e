/* A lab as it is shipped compiles without a warning and gives a wrong sum for
 * the first time at the n that the stage table declares. */
#include "lab/run.h"
#include <check.h>
#include <string.h>

static void open_skeleton(const struct stage *stage, struct home *home,
                          struct kernel *kernel)
{
    struct error e = {{0}};
    ck_assert_msg(home_find(home, &e), "%s", e.text);
    struct device *device = device_open("sim", &e);
    ck_assert_msg(device != NULL, "%s", e.text);
    struct kernel_request request = {
        .home = home,
        .device = device,
        .target = stage->name,
        .from = "skeletons",
    };
    enum outcome outcome = kernel_load(&request, kernel, &e);
    ck_assert_msg(outcome == OUTCOME_OK, "%s", e.text);
}

START_TEST(fails_as_declared)
{
    const struct stage *stage = &stages[_i];
    struct home home;
    struct kernel kernel = {0};
    uint64_t sizes[STAGE_SIZES], first = UINT64_MAX;
    open_skeleton(stage, &home, &kernel);
    ck_assert_msg(!kernel.compiled.warnings, "%s", kernel.compiled.warnings);
    int count = stage_sizes(stage, stage->default_block, sizes);
    for (int k = 0; k < count && first == UINT64_MAX; k++) {
        struct error e = {{0}};
        struct run_result result = {0};
        struct run_spec spec = run_defaults(&kernel);
        spec.n = sizes[k];
        spec.data = DATA_INTEGERS;
        spec.is_single = true;
        ck_assert_msg(run_kernel(&kernel, &spec, &result, &e), "%s", e.text);
        if (!result.correct)
            first = sizes[k];
        run_result_free(&result);
    }
    ck_assert_uint_eq(first, stage->fails_at);
    struct device *device = kernel.device;
    kernel_free(&kernel);
    device_close(device);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("labs_shipped");
    TCase *tests = tcase_create("labs");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, fails_as_declared, 0, stage_count);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
