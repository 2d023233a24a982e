/* One verified run, on the simulator, of kernels in PTX: no compiler needed.
 * The right one passes; the others each break one promise and are told so. */
#include "base/text.h"
#include "lab/run.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD                                          \
    ".version 7.0\n.target sm_70\n.address_size 64\n" \
    ".global .align 4 .f32 kept;\n"

/* %rd1 in, %rd2 out, %rd3 n, %rd4 this thread's index; %p1: beyond n */
#define BEGIN                                                                  \
    ".visible .entry reduce(.param .u64 a, .param .u64 b, .param .u64 c)\n{\n" \
    ".reg .pred %p<4>; .reg .f32 %f<6>; .reg .b32 %r<8>; .reg .b64 "           \
    "%rd<12>;\n"                                                               \
    "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\n"                       \
    "ld.param.u64 %rd3, [c];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\n" \
    "mov.u32 %r3, %tid.x;\nmad.lo.s32 %r4, %r1, %r2, %r3;\n"                   \
    "cvt.u64.u32 %rd4, %r4;\nsetp.ge.u64 %p1, %rd4, %rd3;\n"                   \
    "shl.b64 %rd5, %rd4, 2;\nadd.s64 %rd6, %rd1, %rd5;\n"
#define END "done:\nret;\n}\n"

static const char right[] =
    HEAD BEGIN "@%p1 bra done;\nld.global.f32 %f1, [%rd6];\n"
               "red.global.add.f32 [%rd2], %f1;\n" END;
static const char beyond[] = HEAD BEGIN
    "ld.global.f32 %f1, [%rd6];\nred.global.add.f32 [%rd2], %f1;\n" END;
static const char drops_one[] = HEAD BEGIN
    "@%p1 bra done;\nsetp.eq.u64 %p2, %rd4, 5;\n@%p2 bra done;\n"
    "ld.global.f32 %f1, [%rd6];\nred.global.add.f32 [%rd2], %f1;\n" END;
static const char keeps[] = HEAD BEGIN
    "@%p1 bra done;\nld.global.f32 %f1, [%rd6];\n"
    "red.global.add.f32 [kept], %f1;\n"
    "atom.global.add.f32 %f2, [%rd2], %f1;\n"
    "setp.ne.u64 %p2, %rd4, 0;\n@%p2 bra done;\n"
    /* the first launch finds 0 there; later ones what is left */
    "ld.global.f32 %f3, [kept+0];\n"
    "st.global.f32 [kept], 0f41200000;\nmul.f32 %f3, %f3, 0f3F000000;\n" END;
static const char writes_input[] =
    HEAD BEGIN "@%p1 bra done;\nld.global.f32 %f1, [%rd6];\n"
               "st.global.f32 [%rd6], 0f3F800000;\n"
               "red.global.add.f32 [%rd2], %f1;\n" END;
static const char writes_n[] =
    HEAD BEGIN "cvt.rn.f32.u64 %f1, %rd3;\nst.global.f32 [%rd2], %f1;\n" END;
static const char empty[] = HEAD BEGIN END;
static const char beside_out[] = HEAD BEGIN
    "@%p1 bra done;\nld.global.f32 %f1, [%rd6];\n"
    "red.global.add.f32 [%rd2], %f1;\nst.global.f32 [%rd2+4], %f1;\n" END;
static const char endless[] = HEAD BEGIN "again:\nadd.s32 %r4, %r4, 1;\n"
                                         "bra again;\n" END;
/* Adds what the launch before left in `kept`. */
static const char remembers[] =
    HEAD BEGIN "@%p1 bra done;\nld.global.f32 %f1, [%rd6];\n"
               "setp.ne.u64 %p2, %rd4, 0;\n@%p2 bra sum;\n"
               "ld.global.f32 %f2, [kept];\nadd.f32 %f1, %f1, %f2;\n"
               "st.global.f32 [kept], 0f447A0000;\nsum:\n"
               "red.global.add.f32 [%rd2], %f1;\n" END;

static struct home home;

static enum outcome load(const char *ptx, struct device *d, struct kernel *k,
                         struct error *e)
{
    char path[] = "/tmp/test_lab_run-XXXXXX.ptx";
    int file = mkstemps(path, 4);
    ck_assert(file >= 0);
    ck_assert(write(file, ptx, strlen(ptx)) == (ssize_t)strlen(ptx));
    close(file);
    struct kernel_request request = {&home, d, path, NULL, NULL, NULL, NULL};
    enum outcome outcome = kernel_load(&request, k, e);
    unlink(path);
    return outcome;
}

/* The verdict on a kernel for integers; `reason` gets words of the report. */
static enum verdict verdict_on(const char *ptx, uint64_t n, uint64_t offset,
                               char reason[1024])
{
    struct error e;
    struct kernel k;
    struct run_result r;
    struct device *d = device_open("sim", &e);

    ck_assert_msg(load(ptx, d, &k, &e) == OUTCOME_OK, "%s", e.text);
    struct run_spec spec = run_defaults(&k);
    spec.n = n;
    spec.block = 64;
    spec.data = DATA_INTEGERS;
    spec.offset = offset;
    spec.budget = 1000000;
    ck_assert_msg(run_kernel(&k, &spec, &r, &e), "%s", e.text);
    enum verdict verdict = r.verdict;
    ck_assert(r.passed == (verdict == VERDICT_RIGHT));
    ck_assert(!r.passed || r.correct);
    snprintf(reason, 1024, "%s %s", r.reason,
             r.launch.findings.count ? r.launch.findings.items[0].kind : "");
    run_result_free(&r);
    kernel_free(&k);
    device_close(d);
    return verdict;
}

START_TEST(a_right_kernel_passes)
{
    static const uint64_t sizes[] = {0, 1, 63, 64, 65, 1000, 70000};
    char reason[1024];

    for (int i = 0; i < 7; i++)
        for (uint64_t offset = 0; offset < 4; offset++)
            ck_assert_msg(verdict_on(right, sizes[i], offset, reason) ==
                              VERDICT_RIGHT,
                          "n %d: %s", (int)sizes[i], reason);
}
END_TEST

START_TEST(wrong_kernels_are_told)
{
    static const struct {
        const char *ptx;
        enum verdict verdict;
        const char *words;
    } cases[] = {
        {beyond, VERDICT_FINDINGS, "out-of-bounds"},
        {drops_one, VERDICT_WRONG, "in[5]"},
        {writes_input, VERDICT_FINDINGS, "input"},
        {writes_n, VERDICT_WRONG, "n itself"},
        {empty, VERDICT_WRONG, "nothing was added"},
        {beside_out, VERDICT_FINDINGS, "out-of-bounds"},
        {endless, VERDICT_FINDINGS, "no-progress"},
        {remembers, VERDICT_WRONG_AGAIN, "launch to launch"},
        {keeps, VERDICT_FINDINGS, "race"}, /* and yet the sum is right */
    };
    char reason[1024];

    enum verdict verdict = verdict_on(cases[_i].ptx, 100, 0, reason);
    ck_assert_msg(verdict == cases[_i].verdict, "%s: %s", verdict_word(verdict),
                  reason);
    ck_assert_msg(strstr(reason, cases[_i].words) != NULL, "%s", reason);
}
END_TEST

START_TEST(shapes_beyond_the_limits)
{
    struct error e;
    struct kernel k;
    struct run_result r;
    struct device *d = device_open("sim", &e);

    ck_assert(load(right, d, &k, &e) == OUTCOME_OK);
    for (int i = 0; i < 6; i++) {
        static const char *const words[] = {
            "1 to 1024",     "1 to 1024", "1 to 2147483647",
            "shared memory", "GB",        "GB"};
        struct run_spec spec = run_defaults(&k);
        if (i < 2)
            spec.block = i ? 1025 : 0;
        if (i == 2)
            spec.grid = (uint64_t)1 << 31;
        if (i == 3)
            spec.shared = 227 * 1024 + 1;
        if (i == 4)
            spec.n = (uint64_t)1 << 50;
        if (i == 5)
            spec.n = spec.offset = UINT64_MAX;
        ck_assert(!run_kernel(&k, &spec, &r, &e));
        ck_assert_msg(strstr(e.text, words[i]) != NULL, "%s", e.text);
    }
    kernel_free(&k);
    device_close(d);
}
END_TEST

START_TEST(other_signatures)
{
    static const struct {
        const char *ptx, *words;
    } cases[] = {
        {HEAD, "no kernel in this file"},
        {HEAD ".visible .entry sum(.param .u64 a)\n{\nret;\n}\n", "found: sum"},
        {HEAD ".visible .entry reduce(.param .u64 a, .param .u64 b, .param "
              ".u32 c)\n{\nret;\n}\n",
         "(u64, u64, u32)"},
        {HEAD ".visible .entry reduce()\n{\nret;\n}\n", "found: (none)"},
        {HEAD ".visible .entry _Z6reducePKfPfm(.param .u64 a, .param .u64 b, "
              ".param .u64 c)\n{\nret;\n}\n",
         "put extern \"C\""},
    };
    struct error e;
    struct kernel k;
    struct device *d = device_open(NULL, &e);

    ck_assert_int_eq(load(cases[_i].ptx, d, &k, &e), OUTCOME_FAILED);
    ck_assert_msg(strstr(e.text, cases[_i].words) != NULL, "%s", e.text);
    kernel_free(&k);
    device_close(d);
}
END_TEST

/* The probe's way to launch. */
START_TEST(plain_runs)
{
    struct error e;
    struct kernel k;
    float out;
    struct device *d = device_open("sim", &e);

    ck_assert(load(right, d, &k, &e) == OUTCOME_OK);
    struct run_spec spec = run_defaults(&k);
    const float in[3] = {1, 2, 4};
    spec.n = 3;
    ck_assert_msg(run_plain(&k, &spec, in, &out, &e), "%s", e.text);
    ck_assert(out == 7);
    kernel_free(&k);
    device_close(d);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lab run");
    TCase *tests = tcase_create("run");
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, a_right_kernel_passes);
    tcase_add_loop_test(tests, wrong_kernels_are_told, 0, 9);
    tcase_add_test(tests, shapes_beyond_the_limits);
    tcase_add_loop_test(tests, other_signatures, 0, 5);
    tcase_add_test(tests, plain_runs);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
