/* Reading and comparing what a kernel says about itself. */
#include "tests/support/kernel_case.h"
#include "base/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------- */

struct reader {
    struct kernel_case *c;
    int line, from; /* `from`: where the statement in this line begins */
    struct error *e;
};

static bool refuse(struct reader *r, const char *what, const char *word)
{
    return error_set(r->e, "%s:%d: %s '%.60s'", r->c->file, r->line, what,
                     word);
}

static bool read_pair(struct reader *r, struct case_launch *l, char *pair)
{
    char *value = strchr(pair, '='), *end;
    if (!value || !value[1])
        return refuse(r, "no value in", pair);
    *value++ = '\0';
    uint64_t number = strtoull(value, &end, 10);
    if (*end)
        return refuse(r, "not a number:", value);
    if (strcmp(pair, "n") == 0) {
        l->n = number;
        l->has_n = true;
    } else if (strcmp(pair, "block") == 0) {
        l->block = (uint32_t)number;
    } else if (strcmp(pair, "grid") == 0) {
        l->grid = number;
    } else if (strcmp(pair, "shared") == 0) {
        l->shared = (int64_t)number;
    } else if (strcmp(pair, "offset") == 0) {
        l->offset = number;
    } else if (strcmp(pair, "budget") == 0) {
        l->budget = number;
    } else if (strcmp(pair, "cooperative") != 0) { /* for a GPU only */
        return refuse(r, "no such key:", pair);
    }
    return true;
}

static bool read_launch(struct reader *r, char *values, bool is_ok)
{
    struct kernel_case *c = r->c;
    char *save = NULL;
    if (c->launch_count == CASE_LAUNCHES)
        return refuse(r, "too many launches:", values);
    struct case_launch *l = &c->launches[c->launch_count++];
    *l = (struct case_launch){
        .line = r->line, .is_ok = is_ok, .block = 256, .shared = -1};
    for (char *pair = strtok_r(values, " ", &save); pair;
         pair = strtok_r(NULL, " ", &save))
        if (!read_pair(r, l, pair))
            return false;
    return true;
}

static bool read_data(struct reader *r, char *names)
{
    struct kernel_case *c = r->c;
    char *save = NULL;
    for (char *name = strtok_r(names, " ", &save); name;
         name = strtok_r(NULL, " ", &save)) {
        struct error ignored;
        if (c->data_count == DATA_KINDS ||
            !data_find(name, &c->data[c->data_count++], &ignored))
            return refuse(r, "no such data:", name);
    }
    return true;
}

static bool is_kind(const char *word)
{
    static const char *const kinds[] = {
        "out-of-bounds", "misaligned",         "input-written", "race",
        "uninitialized", "barrier-divergence", "bad-sync-mask", "no-progress",
        "trap",          "suspicious"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strcmp(word, kinds[k]) == 0)
            return true;
    return false;
}

static bool read_marks(struct reader *r, char *kinds, bool must)
{
    struct kernel_case *c = r->c;
    char *save = NULL;
    for (char *kind = strtok_r(kinds, " ", &save); kind;
         kind = strtok_r(NULL, " ", &save)) {
        size_t length = strlen(kind);
        bool is_question = kind[length - 1] == '?';
        if (is_question)
            kind[length - 1] = '\0';
        if (!is_kind(kind))
            return refuse(r, "no such kind of finding:", kind);
        if (c->mark_count == CASE_MARKS)
            return refuse(r, "too many marks:", kind);
        struct case_mark *m = &c->marks[c->mark_count++];
        m->from = r->from;
        m->line = r->line;
        m->must = must && !is_question;
        snprintf(m->kind, sizeof m->kind, "%s", kind);
    }
    return true;
}

/* A comment that stands alone: about the whole file. */
static bool read_header(struct reader *r, char *comment)
{
    struct kernel_case *c = r->c;
    if (strcmp(comment, "// expect: ok") == 0)
        c->is_ok = true;
    else if (strcmp(comment, "// expect: wrong") == 0)
        c->is_wrong = true;
    else if (strcmp(comment, "// needs: nvcc") == 0)
        c->needs_nvcc = true;
    else if (strncmp(comment, "// launch: ", 11) == 0)
        return read_launch(r, comment + 11, false);
    else if (strncmp(comment, "// launch-ok: ", 14) == 0)
        return read_launch(r, comment + 14, true);
    else if (strncmp(comment, "// data: ", 9) == 0)
        return read_data(r, comment + 9);
    else
        return refuse(r, "not understood:", comment);
    return true;
}

static bool read_comment(struct reader *r, const char *line, char *comment)
{
    if (!comment)
        return true;
    if (comment == line)
        return read_header(r, comment);
    if (strncmp(comment, "// expect: ", 11) == 0)
        return read_marks(r, comment + 11, true);
    if (strncmp(comment, "// may: ", 8) == 0)
        return read_marks(r, comment + 8, false);
    return true;
}

/* Does a statement go on behind this code? */
static bool is_open(const char *code, size_t length)
{
    while (length > 0 && code[length - 1] == ' ')
        length--;
    return length > 0 && !strchr(";{}/:", code[length - 1]);
}

static bool read_line(struct reader *r, char *line)
{
    char *comment = strstr(line, "// ");
    if (r->from == 0)
        r->from = r->line;
    bool ok = read_comment(r, line, comment);
    if (!is_open(line, comment ? (size_t)(comment - line) : strlen(line)))
        r->from = 0;
    return ok;
}

static bool finish(struct kernel_case *c, struct error *e)
{
    bool has_fault = c->is_wrong || c->mark_count > 0;
    if (c->is_ok == has_fault)
        return error_set(e, "%s:1: expects %s", c->file,
                         has_fault ? "both a fault and none" : "nothing");
    for (int k = 0; k < c->launch_count; k++)
        if (c->is_ok && c->launches[k].is_ok)
            return error_set(e, "%s:%d: every launch of it is one", c->file,
                             c->launches[k].line);
    if (c->launch_count == 0)
        c->launches[c->launch_count++] =
            (struct case_launch){.block = 256, .shared = -1};
    if (c->data_count == 0)
        c->data[c->data_count++] = DATA_RANDOM;
    return true;
}

bool kernel_case_read(struct kernel_case *c, const char *file, struct error *e)
{
    struct text text = {0};
    *c = (struct kernel_case){.file = file};
    struct reader r = {.c = c, .e = e};
    bool ok = text_read_file(&text, file, 1 << 20, e);
    char *rest = text.data, *line;
    while (ok && rest && (line = strsep(&rest, "\n"))) {
        r.line++;
        ok = read_line(&r, line);
    }
    text_free(&text);
    return ok && finish(c, e);
}

/* ---- comparing -------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_about(const struct kernel_case *c, const struct case_mark *m,
                     const struct finding *f)
{
    return f->count >= 1 && strcmp(f->kind, m->kind) == 0 && f->file &&
           strcmp(base_name(f->file), base_name(c->file)) == 0 &&
           ((f->line >= m->from && f->line <= m->line) ||
            (f->other_line >= m->from && f->other_line <= m->line));
}

/* A missing barrier also lets a thread read what is not yet written. */
static bool follows_race(const struct case_mark *m, const struct finding *f)
{
    return strcmp(m->kind, "race") == 0 && f->line >= m->from &&
           f->line <= m->line && strcmp(f->kind, "uninitialized") == 0;
}

static bool is_marked(const struct kernel_case *c, const struct finding *f)
{
    for (int k = 0; k < c->mark_count; k++)
        if (is_about(c, &c->marks[k], f) || follows_race(&c->marks[k], f))
            return true;
    return false;
}

static bool is_found(const struct kernel_case *c, const struct case_mark *m,
                     const struct finding_list *list)
{
    for (int k = 0; k < list->count; k++)
        if (is_about(c, m, &list->items[k]))
            return true;
    return false;
}

/* Each mark that must be found; without such marks one of the others. */
static bool is_missed(const struct kernel_case *c,
                      const struct finding_list *list, char *why, size_t size)
{
    bool has_must = c->is_wrong, has_any = c->mark_count == 0;
    for (int k = 0; k < c->mark_count; k++) {
        const struct case_mark *m = &c->marks[k];
        bool found = is_found(c, m, list);
        has_must |= m->must;
        has_any |= found;
        if (!m->must || found)
            continue;
        snprintf(why, size, "missed: line %d: %s", m->line, m->kind);
        return true;
    }
    if (has_must || has_any)
        return false;
    snprintf(why, size, "missed: none of the marks was found");
    return true;
}

bool kernel_case_differs(const struct kernel_case *c,
                         const struct case_launch *l,
                         const struct finding_list *list, bool correct,
                         char *why, size_t size)
{
    bool is_fault = !c->is_ok && !l->is_ok;
    if (is_fault && is_missed(c, list, why, size))
        return true;
    for (int k = 0; k < list->count; k++) {
        const struct finding *f = &list->items[k];
        if (is_fault && is_marked(c, f))
            continue;
        snprintf(why, size, "false alarm: line %d (%d): %s: %.300s", f->line,
                 f->other_line, f->kind, f->message ? f->message : "");
        return true;
    }
    if (correct && is_fault && c->is_wrong)
        snprintf(why, size, "the sum is right, expected a wrong one");
    else if (!correct && !is_fault)
        snprintf(why, size, "the sum is wrong");
    else
        return false;
    return true;
}
