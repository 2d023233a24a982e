/* What of measuring on a GPU can be tried without one: inputs made in pieces
 * are the data sets, and machines without a GPU say so in one line. */
#include "lab/pieces.h"
#include "lab/timing.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

START_TEST(pieces_are_the_data_set)
{
    static const uint64_t sizes[] = {0, 1, 1000, 65536, 100003};
    uint64_t n = sizes[_i], bytes = n * sizeof(float);
    struct error e = {{0}};
    struct device *d = device_open("sim", &e);
    struct exact_sum sum = {0}, wanted = {0};
    float *whole = malloc(bytes + 1), *made = malloc(bytes + 1);
    struct device_buffer *b =
        d->ops->buffer_new(d, "in", bytes + 4, DEVICE_INPUT, NULL, &e);

    ck_assert(b && whole && made);
    data_fill(DATA_CANCEL, 7, n, 0, n, whole);
    exact_add(&wanted, whole, n);
    ck_assert_msg(pieces_upload(d, b, 4, DATA_CANCEL, 7, n, &sum, &e), "%s",
                  e.text);
    ck_assert(d->ops->download(d, b, 4, made, bytes, &e));
    ck_assert(memcmp(whole, made, bytes) == 0);
    ck_assert(memcmp(&sum, &wanted, sizeof sum) == 0);
    d->ops->buffer_free(d, b);
    device_close(d);
    free(whole);
    free(made);
}
END_TEST

START_TEST(the_simulator_has_no_clock)
{
    struct error e = {{0}};
    struct device *d = device_open("sim", &e);
    const struct kernel *none = NULL;
    const struct timing_spec spec = {.n = 1000};
    struct timing t;
    double empty_ms;

    ck_assert(!timing_run(d, &none, 0, &spec, &t, &empty_ms, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "no clock"));
    device_close(d);
}
END_TEST

START_TEST(no_gpu_is_one_line)
{
    struct error e = {{0}};
    struct device *d = device_open("cuda", &e);

    if (!d) {
        ck_assert(*e.text);
        ck_assert_ptr_null(strchr(e.text, '\n'));
    }
    device_close(d);
    d = device_open(NULL, &e); /* whatever there is */
    ck_assert_ptr_nonnull(d);
    device_close(d);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lab timing");
    TCase *tests = tcase_create("gpu");
    tcase_add_loop_test(tests, pieces_are_the_data_set, 0, 5);
    tcase_add_test(tests, the_simulator_has_no_clock);
    tcase_add_test(tests, no_gpu_is_one_line);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
