/* Messages, arenas, growing text and files. */
#include "base/arena.h"
#include "base/error.h"
#include "base/random.h"
#include "base/text.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- error.c -------------------------------------------------------------- */

START_TEST(error_has_place_and_caret)
{
    struct error e;
    const char *text = "one\n    foo.f32 %f1;\nthree";
    struct place at = {"k.ptx", 2, 5, strchr(text, '\n') + 1};

    ck_assert(!error_at(&e, at, "unknown '%s'", "foo"));
    ck_assert_str_eq(e.text, "k.ptx:2:5: error: unknown 'foo'\n"
                             "        foo.f32 %f1;\n"
                             "        ^");
}
END_TEST

START_TEST(error_without_column_has_no_caret)
{
    struct error e;
    struct place at = {"k.ptx", 7, 0, "text"};

    error_at(&e, at, "bad");
    ck_assert_str_eq(e.text, "k.ptx:7: error: bad");
}
END_TEST

START_TEST(error_shows_a_window_of_a_long_line)
{
    struct error e;
    char line[3001];
    struct place at = {"k.ptx", 1, 2000, line};

    memset(line, 'a', 3000);
    line[3000] = '\0';
    line[1999] = 'X';
    error_at(&e, at, "bad");
    char *caret = strrchr(e.text, '^');
    char *last = strrchr(e.text, '\n');
    char *shown = strstr(e.text, "\n    a") + 1;
    ck_assert_ptr_nonnull(caret);
    ck_assert_uint_lt(strlen(e.text), 400);
    ck_assert_int_eq(shown[caret - last - 1], 'X');
}
END_TEST

START_TEST(error_shows_no_control_characters)
{
    struct error e;
    struct place at = {"k.ptx", 1, 3, "\033[31m\001x"};

    error_at(&e, at, "bad");
    ck_assert_ptr_null(strchr(e.text, '\033'));
    ck_assert_ptr_nonnull(strstr(e.text, "?[31m?x"));
}
END_TEST

START_TEST(error_column_beyond_the_line)
{
    struct error e;
    struct place at = {"k.ptx", 1, 999, "ab\ncd"};

    error_at(&e, at, "bad");
    ck_assert_str_eq(e.text, "k.ptx:1:999: error: bad\n    ab\n      ^");
}
END_TEST

START_TEST(error_too_long_is_cut)
{
    struct error e;
    char *name = malloc(10000);

    memset(name, 'n', 9999);
    name[9999] = '\0';
    error_set(&e, "%s", name);
    ck_assert_uint_eq(strlen(e.text), sizeof e.text - 1);
    error_prefix(&e, "%s", "context");
    ck_assert_uint_eq(strlen(e.text), sizeof e.text - 1);
    ck_assert_int_eq(strncmp(e.text, "context: nnn", 12), 0);
    struct place at = {name, 1, 1, "line"};
    error_at(&e, at, "bad");
    ck_assert_uint_lt(strlen(e.text), sizeof e.text);
    free(name);
}
END_TEST

START_TEST(error_prefix_goes_in_front)
{
    struct error e;

    error_set(&e, "no such file");
    ck_assert(!error_prefix(&e, "stage %s", "v3"));
    ck_assert_str_eq(e.text, "stage v3: no such file");
}
END_TEST

/* ---- arena.c --------------------------------------------------------------- */

START_TEST(arena_gives_zeroed_aligned_memory)
{
    struct arena a = {0};

    for (size_t size = 1; size < 300; size++) {
        size_t align = 1;
        while (align < 64 && align * 2 <= size)
            align *= 2;
        unsigned char *p = arena_alloc(&a, size);
        ck_assert_uint_eq((uintptr_t)p % align, 0);
        for (size_t i = 0; i < size; i++)
            ck_assert_uint_eq(p[i], 0);
        memset(p, 0xff, size);
    }
    arena_free(&a);
    ck_assert_ptr_null(a.blocks);
}
END_TEST

START_TEST(arena_takes_large_and_empty)
{
    struct arena a = {0};
    char *large = arena_alloc(&a, 10 << 20);

    large[(10 << 20) - 1] = 1;
    ck_assert_ptr_nonnull(arena_alloc(&a, 0));
    ck_assert_ptr_nonnull(arena_array(&a, 0, 8));
    ck_assert_str_eq(arena_copy(&a, "hello", 4), "hell");
    ck_assert_str_eq(arena_copy(&a, NULL, 0), "");
    ck_assert_str_eq(arena_printf(&a, "%d-%s", 7, "x"), "7-x");
    arena_free(&a);
    arena_free(&a); /* an empty one may be freed */
}
END_TEST

START_TEST(arena_overflow_ends_the_program)
{
    struct arena a = {0};

    arena_array(&a, SIZE_MAX / 2, 4);
}
END_TEST

/* ---- text.c ---------------------------------------------------------------- */

START_TEST(text_grows)
{
    struct text t = {0};
    char *expected = malloc(200001);

    for (int i = 0; i < 100000; i++)
        text_add(&t, "ab", 2);
    for (int i = 0; i < 200000; i++)
        expected[i] = i % 2 ? 'b' : 'a';
    expected[200000] = '\0';
    ck_assert_uint_eq(t.length, 200000);
    ck_assert_str_eq(t.data, expected);
    text_printf(&t, "%s", expected);
    ck_assert_uint_eq(strlen(t.data), 400000);
    text_free(&t);
    ck_assert_ptr_null(t.data);
    free(expected);
}
END_TEST

START_TEST(text_take_is_never_null)
{
    struct text t = {0};
    char *taken = text_take(&t);

    ck_assert_str_eq(taken, "");
    free(taken);
    text_puts(&t, "x");
    taken = text_take(&t);
    ck_assert_str_eq(taken, "x");
    ck_assert_ptr_null(t.data);
    free(taken);
}
END_TEST

START_TEST(text_files_are_binary_safe)
{
    char path[] = "/tmp/test_base_XXXXXX";
    struct text t = {0};
    struct error e;

    close(mkstemp(path));
    ck_assert(text_write_file(path, "a\0b\n", 4, &e));
    ck_assert(text_read_file(&t, path, 4, &e));
    ck_assert_uint_eq(t.length, 4);
    ck_assert_mem_eq(t.data, "a\0b\n", 5);
    text_free(&t);
    ck_assert(!text_read_file(&t, path, 3, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "larger than 3 bytes"));
    text_free(&t);
    ck_assert(text_write_file(path, "", 0, &e));
    ck_assert(text_read_file(&t, path, 10, &e));
    ck_assert_uint_eq(t.length, 0);
    text_free(&t);
    remove(path);
}
END_TEST

/* A limit on the size of files does what a full disk does: write fails. */
START_TEST(failed_write_keeps_the_old_file)
{
    char path[] = "/tmp/test_base_XXXXXX";
    struct rlimit limit = {1000, 1000};
    struct text t = {0};
    struct error e;
    char *large = calloc(1, 100000);

    close(mkstemp(path));
    ck_assert(text_write_file(path, "old", 3, &e));
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    ck_assert(!text_write_file(path, large, 100000, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "cannot write"));
    ck_assert(text_read_file(&t, path, 100, &e));
    ck_assert_str_eq(t.data, "old");
    text_free(&t);
    free(large);
    remove(path);
}
END_TEST

START_TEST(text_files_that_cannot_be)
{
    struct text t = {0};
    struct error e;

    ck_assert(!text_read_file(&t, "/no/such/file", 10, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "/no/such/file"));
    ck_assert(!text_read_file(&t, "/tmp", 10, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "directory"));
    ck_assert(!text_write_file("/no/such/file", "x", 1, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "cannot write /no/such/file"));
    text_free(&t);
}
END_TEST

/* ---- random.h -------------------------------------------------------------- */

START_TEST(random_stays_below_its_bound)
{
    struct random r = {1};

    for (int i = 0; i < 100000; i++)
        ck_assert_uint_lt(random_below(&r, 7), 7);
    ck_assert_uint_eq(random_at(1, 5), random_at(1, 5));
    ck_assert_uint_ne(random_at(1, 5), random_at(2, 5));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("base");
    TCase *errors = tcase_create("error"), *arenas = tcase_create("arena");
    TCase *texts = tcase_create("text");

    tcase_add_test(errors, error_has_place_and_caret);
    tcase_add_test(errors, error_without_column_has_no_caret);
    tcase_add_test(errors, error_shows_a_window_of_a_long_line);
    tcase_add_test(errors, error_shows_no_control_characters);
    tcase_add_test(errors, error_column_beyond_the_line);
    tcase_add_test(errors, error_too_long_is_cut);
    tcase_add_test(errors, error_prefix_goes_in_front);
    tcase_add_test(arenas, arena_gives_zeroed_aligned_memory);
    tcase_add_test(arenas, arena_takes_large_and_empty);
    tcase_add_exit_test(arenas, arena_overflow_ends_the_program, 2);
    tcase_add_test(texts, text_grows);
    tcase_add_test(texts, text_take_is_never_null);
    tcase_add_test(texts, text_files_are_binary_safe);
    tcase_add_test(texts, failed_write_keeps_the_old_file);
    tcase_add_test(texts, text_files_that_cannot_be);
    tcase_add_test(texts, random_stays_below_its_bound);
    suite_add_tcase(suite, errors);
    suite_add_tcase(suite, arenas);
    suite_add_tcase(suite, texts);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
