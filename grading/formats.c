/* A score as text, as JSON and as JUnit's XML. */
#include "base/json.h"
#include "base/text.h"
#include "grading/score.h"
#include "lab/report.h"
#include <stdlib.h>
#include <string.h>

/* As a file that does not compile does to all suites. */
static bool say_the_same(const struct suite_score *a,
                         const struct suite_score *b)
{
    return a->message && b->message && !a->again && !b->again &&
           a->standing == b->standing && strcmp(a->message, b->message) == 0;
}

static bool is_said(const struct stage_score *s, int suite)
{
    for (int k = 0; k < suite; k++)
        if (say_the_same(&s->suites[k], &s->suites[suite]))
            return true;
    return false;
}

static void print_stage(FILE *out, const struct score *score,
                        const struct stage_score *s)
{
    static const enum colour colours[] = {COLOUR_GREEN, COLOUR_RED,
                                          COLOUR_YELLOW};
    fprintf(out, "  %-24s %3d / %-3d  %s%s%s\n", s->stage->name, s->points,
            s->stage->points, colour_on(out, colours[s->standing]),
            standing_word(s->standing), colour_off(out));
    for (int k = 0; k < score->suite_count; k++) {
        const struct suite_score *u = &s->suites[k];
        if (u->standing == STANDING_PASSED || is_said(s, k))
            continue;
        struct text why = {0};
        text_puts(&why, u->name);
        for (int i = k + 1; i < score->suite_count; i++)
            if (say_the_same(u, &s->suites[i]))
                text_printf(&why, ", %s", s->suites[i].name);
        text_printf(&why, ": %s", u->message);
        report_wrapped(out, 6, why.data);
        if (u->again)
            fprintf(out, "      see it: %s\n", u->again);
        text_free(&why);
    }
}

void score_print(FILE *out, const struct score *s)
{
    fprintf(out, "Graded: %s\n\n", s->from);
    for (int k = 0; k < s->stage_count; k++)
        print_stage(out, s, &s->stages[k]);
    fprintf(out, "\n  %stotal%s %23d / %-3d  ", colour_on(out, COLOUR_BOLD),
            colour_off(out), s->points, s->max_points);
    fprintf(out, "%d passed, %d wrong, %d not judged\n", s->passed, s->wrong,
            s->unjudged);
}

static void add_suites(struct json *j, const struct score *score,
                       const struct stage_score *s)
{
    json_open_array(j, "suites");
    for (int k = 0; k < score->suite_count; k++) {
        const struct suite_score *u = &s->suites[k];
        json_open_object(j, NULL);
        json_add_text(j, "name", u->name);
        json_add_text(j, "standing", standing_word(u->standing));
        json_add_int(j, "tests", u->tests);
        json_add_int(j, "failures", u->failures);
        if (u->message)
            json_add_text(j, "message", u->message);
        if (u->again)
            json_add_text(j, "command", u->again);
        json_close(j);
    }
    json_close(j);
}

bool score_print_json(FILE *out, const struct score *score, struct error *e)
{
    if (!json_available(e))
        return false;
    struct json *j = json_new();
    json_add_text(j, "from", score->from);
    json_add_int(j, "points", score->points);
    json_add_int(j, "max_points", score->max_points);
    json_add_int(j, "passed", score->passed);
    json_add_int(j, "wrong", score->wrong);
    json_add_int(j, "not_judged", score->unjudged);
    json_open_array(j, "stages");
    for (int k = 0; k < score->stage_count; k++) {
        const struct stage_score *s = &score->stages[k];
        json_open_object(j, NULL);
        json_add_text(j, "stage", s->stage->name);
        json_add_text(j, "standing", standing_word(s->standing));
        json_add_int(j, "points", s->points);
        json_add_int(j, "max_points", s->stage->points);
        add_suites(j, score, s);
        json_close(j);
    }
    json_close(j);
    bool good = json_print(j, out, e);
    json_free(j);
    return good;
}

/* Text as the value of an XML attribute; control characters become spaces. */
static void add_escaped(struct text *t, const char *s)
{
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '&')
            text_puts(t, "&amp;");
        else if (c == '<')
            text_puts(t, "&lt;");
        else if (c == '"')
            text_puts(t, "&quot;");
        else if (c == '\n')
            text_puts(t, "&#10;");
        else
            text_add(t, c < ' ' ? " " : s, 1);
    }
}

static void add_junit_case(struct text *t, const char *suite, int number,
                           TestResult *r)
{
    text_printf(t, "    <testcase classname=\"%s\" name=\"case %d\"", suite,
                number);
    if (tr_rtype(r) == CK_PASS) {
        text_puts(t, "/>\n");
        return;
    }
    bool unjudged = strncmp(tr_msg(r), "not judged", 10) == 0;
    const char *tag = unjudged || tr_rtype(r) == CK_ERROR ? "error" : "failure";
    text_printf(t, ">\n      <%s message=\"", tag);
    add_escaped(t, tr_msg(r));
    text_puts(t, "\"/>\n    </testcase>\n");
}

static void add_junit_suite(struct text *t, const struct stage_score *s,
                            int suite, TestResult **results, int count)
{
    char name[128];
    int number = 0;
    suite_case_name(suite, (int)(s->stage - stages), name, sizeof name);
    text_printf(t, "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\">\n",
                name, s->suites[suite].tests, s->suites[suite].failures);
    for (int k = 0; k < count; k++) {
        if (strcmp(tr_tcname(results[k]), name) == 0)
            add_junit_case(t, name, ++number, results[k]);
    }
    text_puts(t, "  </testsuite>\n");
}

bool score_write_junit(const char *path, const struct score *score, SRunner *sr,
                       struct error *e)
{
    struct text t = {0};
    TestResult **results = srunner_results(sr);
    int count = srunner_ntests_run(sr);
    text_puts(&t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (int k = 0; k < score->stage_count; k++) {
        for (int u = 0; u < score->suite_count; u++)
            add_junit_suite(&t, &score->stages[k], u, results, count);
    }
    text_puts(&t, "</testsuites>\n");
    bool good = text_write_file(path, t.data, t.length, e);
    text_free(&t);
    free(results);
    return good;
}
