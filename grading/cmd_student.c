/* lab hint, reset, diff and progress: what goes on around a student's
 * kernel.
 *
 * The kernels as they were shipped lie in grading/skeletons/, one file a
 * stage, so that a student's copy needs neither git nor solutions/ to go
 * back; a lint test keeps them equal to labs/. */
#include "base/text.h"
#include "grading/cmd.h"
#include "lab/process.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KERNEL_LIMIT = 64 << 20 };

int cmd_hint(struct context *context, const struct options *o)
{
    struct error e;
    const struct stage *s = stage_find(o->words[0], &e);
    char number[16];

    (void)context;
    if (!s)
        return cannot(&e);
    stage_short(s, number, sizeof number);
    printf("%s%s: %s%s\n", colour_on(stdout, COLOUR_BOLD), s->name, s->idea,
           colour_off(stdout));
    for (int level = 0; level < o->level; level++) {
        putchar('\n');
        report_wrapped(stdout, 2, s->hints[level]);
    }
    if (o->level < HINT_LEVELS)
        printf("\nmore: make hint LAB=%s LEVEL=%d\n", number, o->level + 1);
    return OUTCOME_OK;
}

/* ---- reset and diff -------------------------------------------------------------- */

struct pair {
    const struct stage *stage;
    char mine[1024], shipped[1024];
};

static bool find_pair(const struct context *context, const char *name,
                      struct pair *p, struct error *e)
{
    p->stage = stage_find(name, e);
    return p->stage &&
           home_kernel(&context->home, "labs", p->stage->name, p->mine,
                       sizeof p->mine, e) &&
           home_kernel(&context->home, "skeletons", p->stage->name, p->shipped,
                       sizeof p->shipped, e);
}

/* The first kernel.cu.bak-N that is not there yet. */
static bool keep_copy(const char *path, const struct text *old, char *copy,
                      size_t size, struct error *e)
{
    for (int n = 1; n < 10000; n++) {
        snprintf(copy, size, "%.1000s.bak-%d", path, n);
        if (access(copy, F_OK) != 0)
            return text_write_file(copy, old->data, old->length, e);
    }
    return error_set(e, "there are 9999 copies of %s already", path);
}

int cmd_reset(struct context *context, const struct options *o)
{
    struct error e;
    struct pair p;
    struct text shipped = {0}, mine = {0};
    char copy[1100] = "";
    bool ok = find_pair(context, o->words[0], &p, &e) &&
              text_read_file(&shipped, p.shipped, KERNEL_LIMIT, &e);
    bool there = ok && access(p.mine, F_OK) == 0;

    if (there)
        ok = text_read_file(&mine, p.mine, KERNEL_LIMIT, &e);
    bool same = ok && there && mine.length == shipped.length &&
                memcmp(mine.data, shipped.data, mine.length) == 0;
    if (ok && there && !same)
        ok = keep_copy(p.mine, &mine, copy, sizeof copy, &e);
    if (ok && !same)
        ok = text_write_file(p.mine, shipped.data, shipped.length, &e);
    if (same)
        printf("%s is as it was shipped\n", p.stage->name);
    else if (ok)
        printf("%s is as it was shipped again\n", p.stage->name);
    if (ok && *copy)
        printf("your kernel is kept in labs/%s/%s\n", p.stage->name,
               strrchr(copy, '/') + 1);
    text_free(&shipped);
    text_free(&mine);
    return ok ? OUTCOME_OK : cannot(&e);
}

int cmd_diff(struct context *context, const struct options *o)
{
    struct error e;
    struct pair p;
    struct process_result r;
    char program[PATH_MAX], left[128], right[128];

    if (!find_pair(context, o->words[0], &p, &e))
        return cannot(&e);
    if (!process_find("diff", program, sizeof program)) {
        error_set(&e, "there is no program diff; on Debian and Ubuntu: "
                      "apt-get install diffutils");
        return cannot(&e);
    }
    snprintf(left, sizeof left, "--label=%s, as shipped", p.stage->name);
    snprintf(right, sizeof right, "--label=%s, yours", p.stage->name);
    char *argv[] = {program, "-u", left, right, p.shipped, p.mine, NULL};
    if (!process_run(argv, 20, context->cancel, &r, &e))
        return cannot(&e);
    bool ok = r.status <= 1;
    if (!ok)
        error_set(&e, "%.1000s", r.err.length ? r.err.data : "diff failed");
    else if (r.status == 0)
        printf("%s is as it was shipped\n", p.stage->name);
    else
        fwrite(r.out.data, 1, r.out.length, stdout);
    process_result_free(&r);
    return ok ? OUTCOME_OK : cannot(&e);
}

/* ---- progress --------------------------------------------------------------------- */

static uint64_t hash_file(const char *path)
{
    struct text text = {0};
    struct error ignored;
    uint64_t hash = 14695981039346656037u;

    if (text_read_file(&text, path, KERNEL_LIMIT, &ignored))
        for (size_t i = 0; i < text.length; i++)
            hash = (hash ^ (unsigned char)text.data[i]) * 0x100000001b3u;
    text_free(&text);
    return hash;
}

static bool progress_path(const struct context *context, char *path,
                          size_t size)
{
    snprintf(path, size, "%s/progress.txt", context->home.state);
    return *context->home.state != '\0';
}

/* What the file says about a stage; false if nothing. */
static bool progress_find(const char *text, const struct stage *stage,
                          char state[32], uint64_t *hash)
{
    size_t length = strlen(stage->name);
    unsigned long long found;

    for (const char *line = text; line && *line;) {
        if (strncmp(line, stage->name, length) == 0 && line[length] == ' ' &&
            sscanf(line + length, " %31s %llx", state, &found) == 2) {
            *hash = found;
            return true;
        }
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return false;
}

static void progress_read(const struct context *context, struct text *text)
{
    char path[1100];
    struct error ignored;

    if (progress_path(context, path, sizeof path) && access(path, R_OK) == 0)
        text_read_file(text, path, 1 << 20, &ignored);
}

void progress_note(const struct context *context, const struct stage *stage,
                   const char *file, const char *state)
{
    struct text old = {0}, new = {0};
    struct error ignored;
    char path[1100], was[32];
    uint64_t hash;

    if (!progress_path(context, path, sizeof path))
        return; /* a checkout that cannot be written remembers nothing */
    progress_read(context, &old);
    for (int i = 0; i < stage_count; i++) {
        if (&stages[i] == stage)
            text_printf(&new, "%s %s %llx\n", stage->name, state,
                        (unsigned long long)hash_file(file));
        else if (progress_find(old.data, &stages[i], was, &hash))
            text_printf(&new, "%s %s %llx\n", stages[i].name, was,
                        (unsigned long long)hash);
    }
    text_write_file(path, new.data, new.length, &ignored);
    text_free(&old);
    text_free(&new);
}

/* "passed", "failed", "changed since", "as shipped", "not checked yet". */
static const char *stage_state(const struct context *context,
                               const struct stage *stage, const char *text,
                               char state[32])
{
    struct error ignored;
    char mine[1024], shipped[1024];
    uint64_t hash;

    if (!home_kernel(&context->home, "labs", stage->name, mine, sizeof mine,
                     &ignored) ||
        access(mine, R_OK) != 0)
        return "no kernel";
    uint64_t now = hash_file(mine);
    bool is_known = progress_find(text, stage, state, &hash);
    if (is_known && hash == now)
        return state;
    if (home_kernel(&context->home, "skeletons", stage->name, shipped,
                    sizeof shipped, &ignored) &&
        hash_file(shipped) == now)
        return "as shipped";
    return is_known ? "changed since the last check" : "not checked yet";
}

int cmd_progress(struct context *context, const struct options *o)
{
    struct text text = {0};
    const struct stage *next = NULL;
    char number[16], state[32];
    int passed = 0;

    (void)o;
    progress_read(context, &text);
    for (int i = 0; i < stage_count; i++) {
        const struct stage *s = &stages[i];
        const char *is = stage_state(context, s, text.data, state);
        bool done = strcmp(is, "passed") == 0;
        passed += done;
        next = !done && !next ? s : next;
        printf("  %s%-3s %-40s %s%s\n",
               done ? colour_on(stdout, COLOUR_GREEN) : "",
               stage_short(s, number, sizeof number), s->idea, is,
               done ? colour_off(stdout) : "");
    }
    printf("\n%d of %d passed", passed, stage_count);
    if (next)
        printf("; next: labs/%s/kernel.cu, then make %s", next->name,
               stage_short(next, number, sizeof number));
    putchar('\n');
    text_free(&text);
    return OUTCOME_OK;
}
