/* What the fuzzer was fed and what it found once: all of it must still load or
 * be refused politely, and come back from the printer. */
#include "tests/fuzz/fuzz_ptx.c"

#include <check.h>
#include <dirent.h>

static const char *const folder = "tests/fuzz/corpus";

START_TEST(corpus_is_taken)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int count = 0;

    ck_assert_msg(dir, "run this in the folder of the Makefile");
    while ((entry = readdir(dir))) {
        struct text path = {0}, text = {0};
        struct error e;
        if (entry->d_name[0] == '.')
            continue;
        text_printf(&path, "%s/%s", folder, entry->d_name);
        ck_assert_msg(text_read_file(&text, path.data, 64 << 20, &e), "%s",
                      e.text);
        text_add(&text, "", 0);
        LLVMFuzzerTestOneInput((const uint8_t *)text.data, text.length);
        text_free(&path);
        text_free(&text);
        count++;
    }
    closedir(dir);
    ck_assert_int_gt(count, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_corpus");
    TCase *corpus = tcase_create("corpus");

    tcase_add_test(corpus, corpus_is_taken);
    suite_add_tcase(suite, corpus);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
