/* What is shown of a compiler's words, which sources are refused and how, and
 * programs that are run with a limit. */
#include "base/text.h"
#include "lab/compile.h"
#include "lab/process.h"
#include "lab/shorten.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char clang_said[] =
    "In file included from k.cu:1:\n"
    "k.cu:4:5: error: invalid operands\n"
    "    *out = y;\n"
    "    ^~~~\n"
    "k.cu:4:12: error: use of undeclared identifier 'y'\n"
    "    *out = y;\n"
    "           ^\n"
    "k.cu:2:1: note: declared here\n"
    "    float x;\n"
    "k.cu:1:71: warning: unused parameter 'n'\n"
    "extern \"C\"\n"
    "1 warning and 2 errors generated when compiling for sm_80.\n";

static const char nvcc_said[] =
    "k.cu(4): error: identifier \"y\" is undefined\n"
    "      *out = y;\n"
    "             ^\n"
    "\n"
    "k.cu(6): warning #177-D: variable \"unused\" was declared\n"
    "      int unused;\n"
    "          ^\n"
    "\n"
    "Remark: The warnings can be suppressed\n"
    "\n"
    "1 error detected in the compilation of \"k.cu\".\n";

START_TEST(errors_are_shortened)
{
    char text[1024];

    ck_assert_int_eq(compile_shorten(clang_said, "error", 3, text, 1024), 2);
    ck_assert_str_eq(text, "k.cu:4:5: error: invalid operands\n"
                           "    *out = y;\n"
                           "    ^~~~\n"
                           "k.cu:4:12: error: use of undeclared identifier "
                           "'y'\n"
                           "    *out = y;\n"
                           "           ^");
    ck_assert_int_eq(compile_shorten(nvcc_said, "error", 3, text, 1024), 1);
    ck_assert_str_eq(text, "k.cu(4): error: identifier \"y\" is undefined\n"
                           "      *out = y;\n"
                           "             ^");
    ck_assert_int_eq(compile_shorten(nvcc_said, "warning", 3, text, 1024), 1);
    ck_assert_str_eq(text, "k.cu(6): warning #177-D: variable \"unused\" was "
                           "declared\n"
                           "      int unused;\n"
                           "          ^");
}
END_TEST

START_TEST(only_the_first_are_shown)
{
    char text[1024];

    ck_assert_int_eq(compile_shorten(clang_said, "error", 1, text, 1024), 2);
    ck_assert_str_eq(text, "k.cu:4:5: error: invalid operands\n"
                           "    *out = y;\n"
                           "    ^~~~\n"
                           "(1 more)");
    ck_assert_int_eq(compile_shorten("", "error", 1, text, 1024), 0);
    ck_assert_int_eq(compile_shorten("no such file", "error", 1, text, 1024),
                     0);
    /* never beyond the buffer */
    ck_assert_int_eq(compile_shorten(clang_said, "error", 3, text, 10), 2);
    ck_assert_uint_lt(strlen(text), 10);
}
END_TEST

/* ---- sources ------------------------------------------------------------------ */

static char folder[] = "/tmp/test_lab_compile-XXXXXX";

static enum outcome compile(const char *name, const char *bytes, size_t length,
                            struct error *e)
{
    char path[256];
    struct home home = {"", "", ""};
    struct compiled c;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (bytes)
        ck_assert(text_write_file(path, bytes, length, e));
    struct compile_request request = {&home, path, NULL, NULL};
    enum outcome outcome = compile_kernel(&request, &c, e);
    compiled_free(&c);
    if (bytes)
        unlink(path);
    return outcome;
}

START_TEST(bad_sources)
{
    struct error e;

    ck_assert(mkdtemp(folder) != NULL);
    ck_assert_int_eq(compile("a.cu", "", 0, &e), OUTCOME_FAILED);
    ck_assert_ptr_nonnull(strstr(e.text, "a.cu is empty"));
    ck_assert_int_eq(compile("a.cu", " \n\t", 3, &e), OUTCOME_FAILED);
    ck_assert_int_eq(compile("a.cu", "x\0y", 3, &e), OUTCOME_FAILED);
    ck_assert_ptr_nonnull(strstr(e.text, "binary"));
    ck_assert_int_eq(compile("none.cu", NULL, 0, &e), OUTCOME_CANNOT);
    ck_assert_int_eq(compile("", NULL, 0, &e), OUTCOME_CANNOT);
    ck_assert_ptr_nonnull(strstr(e.text, "directory"));
    ck_assert_int_eq(compile("a.ptx", ".version 7.0", 12, &e), OUTCOME_OK);
    rmdir(folder);
}
END_TEST

/* The key changes with everything that the PTX depends on. */
START_TEST(keys)
{
    char *flags[] = {"clang", "-O3", NULL}, *others[] = {"clang", "-O2", NULL};
    struct compiler c = {.kind = COMPILER_NVCC, .version = "nvcc 13"};
    struct home home = {"", "", ""};
    struct text one = {0}, two = {0};
    char a[COMPILE_KEY], b[COMPILE_KEY];

    text_puts(&one, "int x;");
    text_puts(&two, "int y;");
    compile_key(&home, &c, flags, "k.cu", &one, a);
    compile_key(&home, &c, flags, "k.cu", &one, b);
    ck_assert_str_eq(a, b);
    compile_key(&home, &c, flags, "k.cu", &two, b);
    ck_assert_str_ne(a, b);
    compile_key(&home, &c, others, "k.cu", &one, b);
    ck_assert_str_ne(a, b);
    compile_key(&home, &c, flags, "j.cu", &one, b);
    ck_assert_str_ne(a, b);
    snprintf(c.version, sizeof c.version, "nvcc 12");
    compile_key(&home, &c, flags, "k.cu", &one, b);
    ck_assert_str_ne(a, b);
    text_free(&one);
    text_free(&two);
}
END_TEST

/* ---- programs ------------------------------------------------------------------ */

START_TEST(output_and_status)
{
    char *argv[] = {"/bin/sh", "-c", "echo out; echo err >&2; exit 3", NULL};
    struct process_result r;
    struct error e;

    ck_assert(process_run(argv, 10, NULL, &r, &e));
    ck_assert_int_eq(r.status, 3);
    ck_assert_str_eq(r.out.data, "out\n");
    ck_assert_str_eq(r.err.data, "err\n");
    process_result_free(&r);
}
END_TEST

START_TEST(time_limit)
{
    char *argv[] = {"/bin/sh", "-c", "sleep 20 & sleep 20", NULL};
    struct process_result r;
    struct error e;

    ck_assert(process_run(argv, 0.3, NULL, &r, &e));
    ck_assert(r.is_timed_out && r.status != 0);
    process_result_free(&r);
}
END_TEST

START_TEST(no_such_program)
{
    char *argv[] = {"/nowhere/at all", NULL};
    struct process_result r;
    struct error e;

    ck_assert(!process_run(argv, 1, NULL, &r, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "/nowhere/at all"));
}
END_TEST

/* A clang of that version that notes each time it is asked. */
static void write_clang(const char *folder, const char *version)
{
    char path[200];
    snprintf(path, sizeof path, "%s/clang", folder);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "#!/bin/sh\necho asked >>%s/asked\necho 'clang version %s'\n",
            folder, version);
    ck_assert_int_eq(fclose(f), 0);
    ck_assert_int_eq(chmod(path, 0755), 0);
}

static size_t times_asked(const char *folder)
{
    char path[200];
    struct text asked = {0};
    struct error e;
    snprintf(path, sizeof path, "%s/asked", folder);
    ck_assert(text_read_file(&asked, path, 1000, &e));
    size_t times = asked.length / strlen("asked\n");
    text_free(&asked);
    return times;
}

/* A compiler is asked for its version once, and again when it is another. */
START_TEST(version_is_kept)
{
    char folder[] = "/tmp/test-lab-XXXXXX", command[100];
    struct compiler c;
    struct error e;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(setenv("PATH", folder, 1), 0);
    write_clang(folder, "15.0.1");
    for (int k = 0; k < 3; k++) {
        ck_assert(compiler_find(folder, "clang", &c, &e));
        ck_assert_str_eq(c.version, "clang 15.0.1");
    }
    ck_assert_uint_eq(times_asked(folder), 1);
    write_clang(folder, "16.0.22");
    ck_assert(compiler_find(folder, "clang", &c, &e));
    ck_assert_str_eq(c.version, "clang 16.0.22");
    ck_assert_uint_eq(times_asked(folder), 2);
    ck_assert(compiler_find(NULL, "clang", &c, &e));
    ck_assert_uint_eq(times_asked(folder), 3);
    snprintf(command, sizeof command, "/bin/rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lab compile");
    TCase *tests = tcase_create("compile");
    tcase_set_timeout(tests, 15);
    tcase_add_test(tests, errors_are_shortened);
    tcase_add_test(tests, only_the_first_are_shown);
    tcase_add_test(tests, bad_sources);
    tcase_add_test(tests, keys);
    tcase_add_test(tests, output_and_status);
    tcase_add_test(tests, time_limit);
    tcase_add_test(tests, no_such_program);
    tcase_add_test(tests, version_is_kept);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
