/* However a launch ends - done, trap, fault, deadlock, budget, Ctrl-C - the
 * next one runs as if nothing had been, and no memory stays behind (the
 * sanitizer build looks for leaks). */
#include "sim/launch.h"

#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry done(.param .u64 out) {\n"
                           "  .reg .b64 %d<2>; ld.param.u64 %d0, [out];\n"
                           "  red.global.add.u32 [%d0], 1; ret; }\n"
                           ".visible .entry traps(.param .u64 out) {\n"
                           "  .reg .pred %p<2>; .reg .b32 %r<2>;\n"
                           "  mov.u32 %r0, %ctaid.x;\n"
                           "  setp.eq.u32 %p0, %r0, 3; @%p0 trap; ret; }\n"
                           ".visible .entry faults(.param .u64 out) {\n"
                           "  .reg .b64 %d<2>; mov.u64 %d0, 64;\n"
                           "  st.global.u32 [%d0], 1; ret; }\n"
                           ".visible .entry stuck(.param .u64 out) {\n"
                           "  .reg .pred %p<2>; .reg .b32 %r<2>;\n"
                           "  mov.u32 %r0, %tid.x;\n"
                           "  setp.lt.u32 %p0, %r0, 32;\n"
                           "  @%p0 bra A; bar.sync 1, 64; ret;\n"
                           "  A: bar.sync 2, 64; ret; }\n"
                           ".visible .entry endless(.param .u64 out) {\n"
                           "  .reg .b32 %r<2>; mov.u32 %r0, 0;\n"
                           "  L: add.u32 %r0, %r0, 1; bra L; }\n";

static struct ptx_program *program;
static struct module *module;
static struct memory memory;
static struct buffer *out;

static void setup(void)
{
    struct error e;
    program = ptx_load("stop.ptx", text, strlen(text), &e);
    ck_assert_msg(program != NULL, "%s", e.text);
    memory_init(&memory);
    out = memory_add(&memory, "out", 64, BUFFER_DATA, &e);
    module = module_load(program, &memory, &e);
    ck_assert_msg(module != NULL, "%s", e.text);
}

static void teardown(void)
{
    module_free(module);
    memory_clear(&memory);
    ptx_free(program);
}

static void set_cancel(void *data, double share)
{
    (void)share;
    *(volatile int *)data = 1;
}

static enum launch_stop run(const char *kernel, uint64_t budget, int threads,
                            volatile int *cancel, bool by_progress)
{
    struct launch_result r;
    struct error e;
    struct launch l = {.module = module,
                       .kernel = ptx_find_function(program, kernel),
                       .grid = {200, 1, 1},
                       .block = {64, 1, 1},
                       .params = &out->address,
                       .params_bytes = 8,
                       .budget = budget,
                       .threads = threads,
                       .cancel = cancel,
                       .progress = by_progress ? set_cancel : NULL,
                       .progress_data = (void *)(uintptr_t)cancel};
    ck_assert_msg(launch_run(&l, &r, &e), "%s", e.text);
    ck_assert((r.stop == STOP_DONE) == (r.message[0] == '\0'));
    enum launch_stop stop = r.stop;
    launch_result_free(&r);
    return stop;
}

/* After each way to stop, a good launch counts all its threads. */
static void check_good(int threads)
{
    uint32_t count = 0;
    memset(out->data, 0, 64);
    ck_assert_int_eq(run("done", 0, threads, NULL, false), STOP_DONE);
    memcpy(&count, out->data, 4);
    ck_assert_uint_eq(count, 200 * 64);
}

START_TEST(every_stop)
{
    static const struct {
        const char *kernel;
        uint64_t budget;
        enum launch_stop stop;
    } ends[] = {{"done", 0, STOP_DONE},
                {"traps", 0, STOP_TRAP},
                {"faults", 0, STOP_FAULT},
                {"stuck", 0, STOP_DEADLOCK},
                {"endless", 100000, STOP_BUDGET}};
    int threads = 1 + _i;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        ck_assert_int_eq(
            run(ends[k].kernel, ends[k].budget, threads, NULL, false),
            ends[k].stop);
        check_good(threads);
    }
}
END_TEST

START_TEST(cancelled_before_it_began)
{
    volatile int cancel = 1;
    ck_assert_int_eq(run("done", 0, 1 + _i, &cancel, false), STOP_CANCELLED);
    check_good(1 + _i);
}
END_TEST

START_TEST(cancelled_by_the_caller)
{
    volatile int cancel = 0;
    ck_assert_int_eq(run("done", 0, 1 + _i, &cancel, true), STOP_CANCELLED);
    check_good(1 + _i);
}
END_TEST

static void *cancel_later(void *data)
{
    usleep(200000);
    *(volatile int *)data = 1;
    return NULL;
}

/* Blocks that still run apart must hear of Ctrl-C, too. */
START_TEST(cancelled_while_it_runs)
{
    volatile int cancel = 0;
    pthread_t other;
    ck_assert_int_eq(
        pthread_create(&other, NULL, cancel_later, (void *)(uintptr_t)&cancel),
        0);
    ck_assert_int_eq(run("endless", 1ull << 50, 1 + _i, &cancel, false),
                     STOP_CANCELLED);
    pthread_join(other, NULL);
    check_good(1 + _i);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sim_stop");
    TCase *stops = tcase_create("stops");

    tcase_add_checked_fixture(stops, setup, teardown);
    tcase_set_timeout(stops, 20);
    tcase_add_loop_test(stops, every_stop, 0, 3);
    tcase_add_loop_test(stops, cancelled_before_it_began, 0, 3);
    tcase_add_loop_test(stops, cancelled_by_the_caller, 0, 3);
    tcase_add_loop_test(stops, cancelled_while_it_runs, 0, 3);
    suite_add_tcase(suite, stops);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
