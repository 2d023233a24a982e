/* Pages in one file: what is put in where, and that no text of a student's
 * file can become part of the page. */
#include "lab/page.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct home home;

static void put(const char *name, const char *text)
{
    struct error e;
    char path[1200];
    snprintf(path, sizeof path, "%s/grading/view/%s", home.root, name);
    ck_assert_msg(text_write_file(path, text, strlen(text), &e), "%s", e.text);
}

static void make_home(void)
{
    char folder[] = "/tmp/test_lab_page-XXXXXX", path[1200];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(home.root, sizeof home.root, "%s", folder);
    snprintf(path, sizeof path, "%s/grading/view", folder);
    ck_assert(make_folders(path));
}

static void drop_home(void)
{
    static const char *const names[] = {"/grading/view/f.html",
                                        "/grading/view/a.css",
                                        "/grading/view/m.js",
                                        "/grading/view",
                                        "/grading",
                                        ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1200];
        snprintf(path, sizeof path, "%s%s", home.root, names[i]);
        remove(path);
    }
}

START_TEST(parts_are_put_in)
{
    struct text page = {0};
    struct error e;
    struct json *j = json_new();
    json_add_text(j, "k", "</script><!-- <b>");
    put("f.html", "<head>\n<!-- title -->\n  <!-- style a.css -->\n"
                  "<!-- data -->\n<!-- module m.js -->\n<!-- a remark -->\n");
    put("a.css", "p { top: 0 }\n");
    put("m.js", "import { x } from \"./x.js\";\nexport function f() {}\n"
                "const exported = 1; // import me\n");
    ck_assert_msg(page_make(&home, "f", "a<b>&\"'", j, &page, &e), "%s",
                  e.text);
    ck_assert_str_eq(
        page.data,
        "<head>\n<title>a&lt;b&gt;&amp;&quot;&#39;</title>\np { top: 0 }\n"
        "<script type=\"application/json\" id=\"data\">"
        "{\"k\":\"\\u003c/script>\\u003c!-- \\u003cb>\"}</script>\n"
        "function f() {}\nconst exported = 1; // import me\n"
        "<!-- a remark -->\n");
    text_free(&page);
    json_free(j);
}
END_TEST

START_TEST(a_missing_part_is_named)
{
    struct text page = {0};
    struct error e;
    struct json *j = json_new();
    put("f.html", "<!-- module none.js -->\n");
    ck_assert(!page_make(&home, "f", "t", j, &page, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "none.js"));
    ck_assert(!page_make(&home, "g", "t", j, &page, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "g.html"));
    text_free(&page);
    json_free(j);
}
END_TEST

START_TEST(floats_come_back)
{
    struct text page = {0};
    struct json *j = json_new();
    json_add_real(j, "x", (double)0.1f);
    json_add_real(j, "y", (double)16777217.0f);
    json_embed(j, &page);
    ck_assert_str_eq(page.data, "{\"x\":0.100000001,\"y\":16777216.0}");
    text_free(&page);
    json_free(j);
}
END_TEST

int main(void)
{
    struct error e;
    if (!json_available(&e)) { /* nothing to test */
        puts("100%: Checks: 0, Failures: 0, Errors: 0");
        return EXIT_SUCCESS;
    }
    Suite *suite = suite_create("page");
    TCase *all = tcase_create("page");
    tcase_add_unchecked_fixture(all, make_home, drop_home);
    tcase_add_test(all, parts_are_put_in);
    tcase_add_test(all, a_missing_part_is_named);
    tcase_add_test(all, floats_come_back);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
