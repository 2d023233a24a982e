/* The time model: its result depends on the kernel and the launch, not on the
 * host; and it shows what it must. */
#include "base/text.h"
#include "lab/model.h"
#include "lab/run.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Each thread adds its element to one word. */
static const char program[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry reduce(.param .u64 a, .param .u64 b, .param .u64 c)\n"
    "{\n"
    " .reg .b32 %r<6>; .reg .b64 %d<8>; .reg .f32 %f<3>;\n"
    " ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b];\n"
    " mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
    " mad.lo.s32 %r4, %r1, %r2, %r3;\n"
    " mul.wide.u32 %d3, %r4, 4; add.s64 %d4, %d1, %d3;\n"
    " ld.global.f32 %f1, [%d4];\n"
    " red.global.add.f32 [%d2], %f1;\n"
    " ret;\n}\n";

/* The same, but every second block returns at once. */
static const char half[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry reduce(.param .u64 a, .param .u64 b, .param .u64 c)\n"
    "{\n"
    " .reg .b32 %r<6>; .reg .b64 %d<8>; .reg .f32 %f<3>; .reg .pred %p<2>;\n"
    " ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b];\n"
    " mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
    " and.b32 %r5, %r1, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra OUT;\n"
    " mad.lo.s32 %r4, %r1, %r2, %r3;\n"
    " mul.wide.u32 %d3, %r4, 4; add.s64 %d4, %d1, %d3;\n"
    " ld.global.f32 %f1, [%d4];\n"
    " red.global.add.f32 [%d2], %f1;\n"
    "OUT: ret;\n}\n";

/* Each lane reads a word of its own line: of all (factor odd, so every line is
 * met once), or of the first 2^10. */
#define SCATTER(mask)                                                       \
    ".version 7.0\n.target sm_80\n.address_size 64\n"                       \
    ".visible .entry reduce(.param .u64 a, .param .u64 b, .param .u64 c)\n" \
    "{\n"                                                                   \
    " .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<3>;\n"                 \
    " ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b];\n"                      \
    " mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"  \
    " mad.lo.s32 %r4, %r1, %r2, %r3;\n"                                     \
    " mul.lo.u32 %r5, %r4, 40503; and.b32 %r6, %r5, " mask ";\n"            \
    " mul.wide.u32 %d3, %r6, 128; add.s64 %d4, %d1, %d3;\n"                 \
    " ld.global.f32 %f1, [%d4];\n"                                          \
    " st.global.f32 [%d2], %f1;\n"                                          \
    " ret;\n}\n"
static const char scatter[] = SCATTER("0xffff"), narrow[] = SCATTER("0x3ff");

/* Blocks of 256 store a line each and read a line of another's. */
#define STORED(fence)                                                       \
    ".version 7.0\n.target sm_80\n.address_size 64\n"                       \
    ".visible .global .align 4 .b8 g[262144];\n"                            \
    ".visible .entry reduce(.param .u64 a, .param .u64 b, .param .u64 c)\n" \
    "{\n"                                                                   \
    " .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<3>;\n"                 \
    " ld.param.u64 %d2, [b]; mov.u64 %d1, g;\n"                             \
    " mov.u32 %r1, %ctaid.x; mov.u32 %r3, %tid.x; and.b32 %r4, %r1, 255;\n" \
    " mad.lo.u32 %r5, %r4, 256, %r3; mul.wide.u32 %d3, %r5, 4;\n"           \
    " add.s64 %d4, %d1, %d3; st.global.u32 [%d4], %r3;\n"                   \
    " " fence "\n"                                                          \
    " xor.b32 %r6, %r5, 4096; mul.wide.u32 %d5, %r6, 4;\n"                  \
    " add.s64 %d6, %d1, %d5; ld.global.f32 %f1, [%d6];\n"                   \
    " red.global.add.f32 [%d2], %f1;\n"                                     \
    " ret;\n}\n"
static const char fenced[] = STORED("fence.acq_rel.gpu;"),
                  unfenced[] = STORED("fence.acq_rel.cta;");

static struct kernel kernel;

static void load_text(const char *text)
{
    struct error e;
    kernel.device = device_open("sim", &e);
    kernel.program = ptx_load("t.ptx", text, strlen(text), &e);
    ck_assert_msg(kernel.program != NULL, "%s", e.text);
    kernel.function = ptx_find_function(kernel.program, "reduce");
    kernel.module = kernel.device->ops->load(kernel.device, kernel.program, &e);
    ck_assert_ptr_nonnull(kernel.module);
}

static void load(void)
{
    load_text(program);
}

static void unload(void)
{
    kernel.device->ops->unload(kernel.device, kernel.module);
    ptx_free(kernel.program);
    device_close(kernel.device);
}

static uint64_t blocks_of_grid; /* 0: as many as cover n */

static double time_of(uint64_t n, int threads, bool whole)
{
    struct error e;
    struct cost_result r;
    struct model_input *in = model_input_new(kernel.device, n, &e);
    struct run_spec run = {.n = n,
                           .block = 256,
                           .grid = blocks_of_grid,
                           .shared = 0,
                           .seed = 1,
                           .data = DATA_RANDOM,
                           .threads = threads,
                           .is_single = true};
    const struct model_spec spec = {.gpu = gpu_find("h200", &e),
                                    .n = n,
                                    .block = 256,
                                    .grid = blocks_of_grid,
                                    .shared = 0,
                                    .threads = threads};
    if (whole) {
        struct run_result ran;
        run.gpu = spec.gpu;
        ck_assert_msg(run_kernel(&kernel, &run, &ran, &e), "%s", e.text);
        r = ran.launch.time;
        run_result_free(&ran);
    } else {
        ck_assert_msg(model_time(&kernel, in, &spec, &r, &e), "%s", e.text);
    }
    model_input_free(in);
    ck_assert(r.is_known);
    return r.time_ns;
}

START_TEST(threads_of_the_host_do_not_matter)
{
    ck_assert(time_of(1 << 16, 1, true) == time_of(1 << 16, 4, true));
}
END_TEST

START_TEST(a_few_blocks_tell_what_all_do)
{
    ck_assert(time_of(1 << 16, 2, true) == time_of(1 << 16, 2, false));
}
END_TEST

/* 1.755 ns each, one after the other. */
START_TEST(atomics_on_one_word_queue)
{
    double few = time_of(1 << 18, 1, false), many = time_of(1 << 20, 1, false);
    double each = (many - few) / ((1 << 20) - (1 << 18));
    ck_assert_msg(each > 1.74 && each < 1.78, "%.4f ns an atomic", each);
}
END_TEST

/* Adds of half the blocks are half the queue; of seven blocks looked at, four
 * add. */
START_TEST(blocks_that_return_do_not_queue)
{
    double all = time_of(1 << 20, 1, false);
    unload();
    load_text(half);
    double some = time_of(1 << 20, 1, false);
    ck_assert_msg(some > 0.42 * all && some < 0.58 * all, "%.0f of %.0f ns",
                  some, all);
}
END_TEST

/* 2^16 lines of 128 bytes are read once; 2^10 of them come from the L2. */
START_TEST(what_other_blocks_have_read_comes_from_the_l2)
{
    unload();
    load_text(scatter);
    double apart = time_of(1 << 21, 1, false);
    unload();
    load_text(narrow);
    double again = time_of(1 << 21, 1, false);
    ck_assert_msg(again < 0.8 * apart, "%.0f and %.0f ns", again, apart);
}
END_TEST

/* The fence takes 700 cycles, the load behind it 429 less than from DRAM. */
START_TEST(what_others_stored_comes_from_the_l2)
{
    unload();
    load_text(unfenced);
    double before = time_of(1 << 15, 1, false);
    unload();
    load_text(fenced);
    double after = time_of(1 << 15, 1, false);
    ck_assert_msg(after > before && after < before + 250, "%.0f and %.0f ns",
                  after, before);
}
END_TEST

/* The blocks of x2 store to partials and one to *out, and the input may lie
 * between these two: that makes it none of theirs.  8830 ns on an H200
 * (tests/golden/times.csv). */
START_TEST(between_what_is_stored_lies_the_input)
{
    struct error e;
    struct text text = {0};
    ck_assert(text_read_file(&text, "tests/golden/ptx/x2_last_block.ptx",
                             1 << 20, &e));
    unload();
    load_text(text.data);
    blocks_of_grid = 1024;
    for (int whole = 0; whole < 2; whole++) {
        double ns = time_of(1 << 22, 1, whole);
        ck_assert_msg(ns > 0.75 * 8830 && ns < 1.25 * 8830, "%.0f ns", ns);
    }
    blocks_of_grid = 0;
    text_free(&text);
}
END_TEST

START_TEST(shared_memory_takes_from_the_l1)
{
    const struct gpu *g = gpu_find("h200", NULL);
    ck_assert_uint_eq(gpu_l1_bytes(g, 32, 6 * 1024), (256 - 228) * 1024);
    ck_assert_uint_eq(gpu_l1_bytes(g, 2, 0), (256 - 8) * 1024);
    ck_assert_uint_eq(gpu_l1_bytes(g, 8, 3 * 1024), (256 - 32) * 1024);
    ck_assert_uint_eq(gpu_l1_bytes(g, 8, 3 * 1024 + 1), (256 - 64) * 1024);
}
END_TEST

START_TEST(resident_blocks_follow_the_limits)
{
    const struct gpu *g = gpu_find("h200", NULL);
    ck_assert_uint_eq(gpu_resident_blocks(g, 256, 32, 1024), 8);
    ck_assert_uint_eq(gpu_resident_blocks(g, 64, 32, 256), 32);
    ck_assert_uint_eq(gpu_resident_blocks(g, 256, 64, 0), 4);
    ck_assert_uint_eq(gpu_resident_blocks(g, 256, 16, 100 * 1024), 2);
    ck_assert_uint_eq(gpu_resident_blocks(g, 1024, 255, 0), 1);
}
END_TEST

START_TEST(unknown_gpus_are_named)
{
    struct error e;
    ck_assert_ptr_null(gpu_find("h2000", &e));
    ck_assert_ptr_nonnull(strstr(e.text, "rtx4090"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cost");
    TCase *tests = tcase_create("cost");
    tcase_add_checked_fixture(tests, load, unload);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, threads_of_the_host_do_not_matter);
    tcase_add_test(tests, a_few_blocks_tell_what_all_do);
    tcase_add_test(tests, atomics_on_one_word_queue);
    tcase_add_test(tests, blocks_that_return_do_not_queue);
    tcase_add_test(tests, what_other_blocks_have_read_comes_from_the_l2);
    tcase_add_test(tests, what_others_stored_comes_from_the_l2);
    tcase_add_test(tests, between_what_is_stored_lies_the_input);
    tcase_add_test(tests, shared_memory_takes_from_the_l1);
    tcase_add_test(tests, resident_blocks_follow_the_limits);
    tcase_add_test(tests, unknown_gpus_are_named);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
