/* Results as text for people.  See report.h. */
#include "lab/report.h"
#include "lab/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 80 };

static bool has_colour(FILE *out)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(no && *no) && !(term && strcmp(term, "dumb") == 0) &&
           isatty(fileno(out));
}

const char *colour_on(FILE *out, enum colour colour)
{
    static const char *const sequences[] = {
        [COLOUR_RED] = "\033[31m",
        [COLOUR_GREEN] = "\033[32m",
        [COLOUR_YELLOW] = "\033[33m",
        [COLOUR_BOLD] = "\033[1m",
    };
    return has_colour(out) ? sequences[colour] : "";
}

const char *colour_off(FILE *out)
{
    return has_colour(out) ? "\033[0m" : "";
}

/* How much of `text` fits `room` columns: up to a space, or all of a word
 * that is too long. */
static size_t fitting(const char *text, size_t room)
{
    size_t length = strcspn(text, "\n");
    if (length <= room)
        return length;
    for (size_t i = room; i > 0; i--)
        if (text[i] == ' ')
            return i;
    return strcspn(text, " \n");
}

void report_wrapped(FILE *out, int indent, const char *text)
{
    while (*text) {
        size_t take = fitting(text, (size_t)(COLUMNS - indent));
        if (take)
            fprintf(out, "%*s", indent, "");
        fwrite(text, 1, take, out);
        fputc('\n', out);
        text += take;
        if (*text == '\n')
            text++;
        else
            text += strspn(text, " ");
    }
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The message with the count in its last bracket: "(block 0, 3 more like
 * this)". */
static void add_message(char *to, size_t size, const struct finding *f)
{
    char count[32], more[64];
    const char *message = f->message ? f->message : "";
    size_t length = strlen(message);
    bool has_bracket = length > 0 && message[length - 1] == ')';

    if (f->count < 2) {
        snprintf(to, size, "%s", message);
        return;
    }
    snprintf(more, sizeof more, "%s more like this",
             number_text(f->count - 1, count, sizeof count));
    if (has_bracket)
        snprintf(to, size, "%.*s, %s)", (int)length - 1, message, more);
    else
        snprintf(to, size, "%s (%s)", message, more);
}

void report_findings(FILE *out, const struct finding_list *list)
{
    char text[4096], message[3500];

    for (int i = 0; i < list->count; i++) {
        const struct finding *f = &list->items[i];
        bool names_kind =
            f->message && !strncmp(f->message, f->kind, strlen(f->kind));
        int used = 0;
        if (f->file && f->line)
            used = snprintf(text, sizeof text, "%s:%d: ", base_name(f->file),
                            f->line);
        add_message(message, sizeof message, f);
        snprintf(text + used, sizeof text - (size_t)used, "%s%s%s%s",
                 f->severity == SEVERITY_WARNING ? "warning, " : "",
                 names_kind ? "" : f->kind, names_kind ? "" : ": ", message);
        report_wrapped(out, 2, text);
        if (f->hint)
            report_wrapped(out, 4, f->hint);
    }
}

/* 1.23 M and the like: rates and counts a person compares. */
static const char *short_count(double value, char *buffer, size_t size)
{
    static const char letters[] = " kMGT";
    int power = 0;
    while (value >= 1000 && letters[power + 1]) {
        value /= 1000;
        power++;
    }
    snprintf(buffer, size, power ? "%.3g %c" : "%.3g", value, letters[power]);
    return buffer;
}

static void report_shape(FILE *out, const struct kernel *k,
                         const struct run_spec *spec,
                         const struct run_result *r)
{
    char n[32], grid[32], line[160];

    k->device->ops->describe(k->device, line, sizeof line);
    fprintf(out, "%s%s%s  %s\n", colour_on(out, COLOUR_BOLD),
            k->stage ? k->stage->name : k->name, colour_off(out), k->file);
    fprintf(out, "  device     %s\n", line);
    if (*k->compiled.compiler)
        fprintf(out, "  compiler   %s%s\n", k->compiled.compiler,
                k->compiled.is_cached ? " (cached)" : "");
    fprintf(out,
            "  launch     n = %s, block %u, grid %s, %u bytes of shared "
            "memory\n",
            number_text(r->n, n, sizeof n), r->block,
            number_text(r->grid, grid, sizeof grid), r->shared_bytes);
    fprintf(out, "  data       %s, seed %llu\n", data_sets[spec->data].name,
            (unsigned long long)spec->seed);
}

static void report_host(FILE *out, const struct device_result *launch)
{
    char count[24], rate[24];

    if (launch->warp_instructions == 0)
        return;
    fprintf(
        out, "  host       %.3f s on %d thread%s, %s warp instructions",
        launch->wall_s, launch->threads, launch->threads == 1 ? "" : "s",
        short_count((double)launch->warp_instructions, count, sizeof count));
    if (launch->wall_s > 0)
        fprintf(out, " (%s/s)",
                short_count((double)launch->warp_instructions / launch->wall_s,
                            rate, sizeof rate));
    fputc('\n', out);
}

void report_time(FILE *out, const struct run_result *r)
{
    const struct cost_result *t = &r->launch.time;
    char text[160];

    if (!t->is_known)
        return;
    fprintf(out, "  time       %.2f us modelled, %s%s\n", t->time_ns / 1000,
            t->gpu->title, t->gpu->is_measured ? "" : " (not measured)");
    fprintf(out,
            "             %.0f GB/s; reading %.1f MB takes %.2f us at best "
            "(%.0f %%)\n",
            (double)r->n * sizeof(float) / t->time_ns, 1e-6 * t->dram_bytes,
            t->limit_ns / 1000, 100 * t->limit_ns / t->time_ns);
    fprintf(out, "             it goes into %s\n",
            cost_shares_text(t, text, sizeof text));
}

/* Where to read on. */
static void report_next(FILE *out, const struct kernel *k,
                        const struct run_result *r)
{
    char number[16];

    if (r->launch.findings.count)
        fprintf(out, "  what these mean: docs/checks.md\n");
    if (k->stage && !r->passed)
        fprintf(out, "  a hint: make hint LAB=%s\n",
                stage_short(k->stage, number, sizeof number));
}

void report_run(FILE *out, const struct kernel *k, const struct run_spec *spec,
                const struct run_result *r)
{
    report_shape(out, k, spec, r);
    fprintf(out, "  value      %.9g\n", (double)r->value);
    fprintf(out, "  expected   %.17g\n", r->expected.value);
    if (isfinite(r->error))
        fprintf(out, "  error      %.3g (%.3g allowed)\n", r->error,
                r->expected.tolerance);
    report_time(out, r);
    report_host(out, &r->launch);
    if (r->launch.output && *r->launch.output)
        fprintf(out, "  the kernel printed:\n%s%s", r->launch.output,
                r->launch.output[strlen(r->launch.output) - 1] == '\n' ? ""
                                                                       : "\n");
    fprintf(out, "%s%s%s\n",
            colour_on(out, r->passed ? COLOUR_GREEN : COLOUR_RED),
            spec->reduction && r->verdict == VERDICT_WRONG
                ? "wrong result"
                : verdict_word(r->verdict),
            colour_off(out));
    report_findings(out, &r->launch.findings);
    if (*r->reason)
        report_wrapped(out, 2, r->reason);
    report_next(out, k, r);
}

bool report_finish(FILE *out, struct error *e)
{
    errno = 0;
    if (fflush(out) == 0 && !ferror(out))
        return true;
    return error_set(e, "cannot write the output: %s",
                     errno ? strerror(errno) : "it took no more");
}
