/* Counters as tables and as JSON.  See report_counters.h. */
#include "lab/report_counters.h"
#include "base/text.h"
#include "lab/number.h"
#include "lab/report.h"

#include <stdlib.h>
#include <string.h>

/* ---- the source's lines ---------------------------------------------------------*/

/* Line `line` of a text, without the spaces in front, at most `most` letters. */
static void source_line(const struct text *source, int line, char *to, int most)
{
    const char *at = source->data;
    *to = '\0';
    for (int k = 1; at && k < line; k++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (!at || line <= 0)
        return;
    at += strspn(at, " \t");
    int length = (int)strcspn(at, "\r\n");
    snprintf(to, (size_t)most + 1, "%.*s", length < most ? length : most, at);
}

static const char *base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}

/* ---- totals ------------------------------------------------------------------------*/

/* "855", "0.125" or "3.1e-05". */
static const char *each(double value, char *to, size_t size)
{
    snprintf(to, size, value >= 1000 ? "%.0f" : "%.4g", value);
    return to;
}

static void print_total(FILE *out, const struct counters *c, int k)
{
    char value[32], share[32];
    const struct counter_info *info = &counter_infos[k];
    double blocks = c->blocks ? (double)c->blocks : 1;
    fprintf(out, "%-32s %18s %12s a block%s\n", info->plain,
            number_text(c->total[k], value, sizeof value),
            each((double)c->total[k] / blocks, share, sizeof share),
            info->is_exact ? "" : "  ~");
    report_wrapped(out, 4, info->meaning);
    fprintf(out, "    %s\n", info->name);
}

static void print_totals(FILE *out, const struct counters *c)
{
    char conflict[160];
    for (int k = 0; k < COUNTERS; k++)
        if (c->total[k])
            print_total(out, c, k);
    for (int k = 0; k < counter_ratio_count; k++) {
        const struct counter_ratio *r = &counter_ratios[k];
        if (c->total[r->below])
            fprintf(out, "%-32s %18.2f%s\n    %s\n", r->plain,
                    counters_ratio(c, r),
                    r->is_exact ? "" : "                       ~", r->name);
    }
    if (report_worst_conflict(c, -1, conflict, sizeof conflict))
        fprintf(out, "worst: %s\n", conflict);
}

/* ---- by line, by step ---------------------------------------------------------------*/

static void print_head(FILE *out, const char *first)
{
    fprintf(out, "%4s %11s %5s %9s %5s %9s %8s %8s", first, "warp", "lanes",
            "shared", "worst", "sectors", "barriers", "global");
    fprintf(out, "\n%4s %11s %5s %9s %5s %9s %8s %8s\n", "", "instr. ~",
            "at w.", "passes", "", "loaded", "", "atomics");
}

static void print_cells(FILE *out, int first, const struct counters_row *row)
{
    const uint64_t *v = row->value;
    uint64_t passes = v[COUNT_WAVE_LD] + v[COUNT_WAVE_ST] + v[COUNT_WAVE_ATOM];
    char worst[16] = "";
    if (row->worst)
        snprintf(worst, sizeof worst, "%ux", row->worst);
    fprintf(out, "%4d %11llu %5.1f %9llu %5s %9llu %8llu %8llu", first,
            (unsigned long long)v[COUNT_INST],
            v[COUNT_INST] ? (double)v[COUNT_PRED_ON] / (double)v[COUNT_INST]
                          : 0.0,
            (unsigned long long)passes, worst,
            (unsigned long long)v[COUNT_SECTOR_LD],
            (unsigned long long)v[COUNT_BARRIER],
            (unsigned long long)(v[COUNT_RED] + v[COUNT_ATOM]));
}

static void print_lines(FILE *out, const struct counters *c, const char *source)
{
    struct counters_row *rows;
    struct text text = {0};
    struct error ignored;
    char shown[80];
    int count = counters_by_line(c, &rows);
    if (source)
        text_read_file(&text, source, 1 << 22, &ignored);
    print_head(out, "line");
    for (int k = 0; k < count; k++) {
        bool is_own = !source || !rows[k].file ||
                      !strcmp(base_name(rows[k].file), base_name(source));
        print_cells(out, rows[k].line, &rows[k]);
        fputc('\n', out);
        if (is_own)
            source_line(&text, rows[k].line, shown, 74);
        else
            snprintf(shown, sizeof shown, "(%.60s)", base_name(rows[k].file));
        if (*shown)
            fprintf(out, "     %s\n", shown);
    }
    text_free(&text);
    free(rows);
}

/* The lines of a step: "lines 25-28", and its worst conflict. */
static void say_step(FILE *out, const struct counters *c, int step)
{
    int low = 0, high = 0;
    char conflict[160];
    for (int k = 0; k < c->row_count; k++) {
        const struct counters_row *row = &c->rows[k];
        if (row->step != step || !row->line)
            continue;
        low = !low || row->line < low ? row->line : low;
        high = row->line > high ? row->line : high;
    }
    if (low && low == high)
        fprintf(out, "     line %d", low);
    else if (low)
        fprintf(out, "     lines %d to %d", low, high);
    if (report_worst_conflict(c, step, conflict, sizeof conflict))
        fprintf(out, "%s%s", low ? "; " : "     ", conflict);
    if (low)
        fputc('\n', out);
}

static void print_steps(FILE *out, const struct counters *c)
{
    struct counters_row *rows;
    int count = counters_by_step(c, &rows);
    print_head(out, "step");
    for (int k = 0; k < count; k++) {
        print_cells(out, rows[k].step, &rows[k]);
        fputc('\n', out);
        say_step(out, c, rows[k].step);
    }
    fprintf(out, "A step ends where a warp meets others, after a store to "
                 "shared memory.\n");
    free(rows);
}

void report_counters(FILE *out, const struct counters *c, enum counters_by by,
                     const char *source)
{
    switch (by) {
    case BY_LINE: print_lines(out, c, source); break;
    case BY_STEP: print_steps(out, c); break;
    default: print_totals(out, c); break;
    }
    fprintf(out, "~ is an estimate of what the hardware's compiler makes; the "
                 "rest is exact.\n");
}

bool report_worst_conflict(const struct counters *c, int step, char *to,
                           size_t size)
{
    const struct counters_row *worst = NULL;
    for (int k = 0; k < c->row_count; k++) {
        const struct counters_row *row = &c->rows[k];
        if ((step < 0 || row->step == step) && row->worst > 1 &&
            (!worst || row->worst > worst->worst))
            worst = row;
    }
    if (!worst)
        return false;
    int used = snprintf(to, size, "%u-way conflict on line %d", worst->worst,
                        worst->line);
    if (step < 0 && used > 0 && (size_t)used < size)
        snprintf(to + used, size - (size_t)used, " in step %d", worst->step);
    return true;
}

/* ---- JSON -------------------------------------------------------------------------------*/

static double row_ratio(const uint64_t *v, const struct counter_ratio *r)
{
    return v[r->below] ? (double)v[r->above] / (double)v[r->below] : 0;
}

static void add_values(struct json *j, const uint64_t *v, bool all)
{
    for (int k = 0; k < COUNTERS; k++)
        if (all || v[k])
            json_add_uint(j, counter_infos[k].name, v[k]);
    for (int k = 0; k < counter_ratio_count; k++)
        if (all || v[counter_ratios[k].below])
            json_add_real(j, counter_ratios[k].name,
                          row_ratio(v, &counter_ratios[k]));
}

void report_counters_json(struct json *j, const struct counters *c)
{
    json_open_object(j, "counters");
    add_values(j, c->total, true);
    json_close(j);
}

static void add_row(struct json *j, const struct counters_row *row,
                    bool is_step)
{
    json_open_object(j, NULL);
    if (is_step)
        json_add_int(j, "step", row->step);
    if (row->file)
        json_add_text(j, "file", row->file);
    if (row->line)
        json_add_int(j, "line", row->line);
    if (row->worst)
        json_add_uint(j, "worst_conflict", row->worst);
    json_open_object(j, "counters");
    add_values(j, row->value, false);
    json_close(j);
    json_close(j);
}

static void add_meanings(struct json *j)
{
    json_open_object(j, "meanings");
    for (int k = 0; k < COUNTERS; k++) {
        json_open_object(j, counter_infos[k].name);
        json_add_text(j, "plain", counter_infos[k].plain);
        json_add_text(j, "basis", counter_infos[k].is_exact ? "exact" : "ptx");
        json_add_text(j, "meaning", counter_infos[k].meaning);
        json_close(j);
    }
    json_close(j);
}

void report_counters_parts_json(struct json *j, const struct counters *c)
{
    struct counters_row *rows;
    int count = counters_by_line(c, &rows);
    json_open_array(j, "lines");
    for (int k = 0; k < count; k++)
        add_row(j, &rows[k], false);
    json_close(j);
    free(rows);
    json_open_array(j, "steps");
    for (int k = 0; k < c->row_count; k++)
        add_row(j, &c->rows[k], true);
    json_close(j);
    add_meanings(j);
}
