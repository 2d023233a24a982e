/* Results as JSON: the fields of `lab run --json`.  See report.h. */
#include "lab/reduction.h"
#include "lab/report.h"
#include "lab/report_counters.h"

#include <string.h>

void report_findings_json(struct json *j, const struct finding_list *list)
{
    json_open_array(j, "findings");
    for (int i = 0; i < list->count; i++) {
        const struct finding *f = &list->items[i];
        json_open_object(j, NULL);
        json_add_text(j, "kind", f->kind);
        json_add_text(j, "severity",
                      f->severity == SEVERITY_ERROR ? "error" : "warning");
        if (f->space)
            json_add_text(j, "space", f->space);
        if (f->file)
            json_add_text(j, "file", f->file);
        if (f->line)
            json_add_int(j, "line", f->line);
        if (f->other_line)
            json_add_int(j, "other_line", f->other_line);
        json_add_text(j, "message", f->message ? f->message : "");
        if (f->hint)
            json_add_text(j, "hint", f->hint);
        json_add_uint(j, "count", f->count);
        if (f->has_thread) {
            json_add_uint(j, "block", f->block);
            json_add_uint(j, "thread", f->thread);
        }
        if (f->has_other) {
            json_add_uint(j, "other_block", f->other_block);
            json_add_uint(j, "other_thread", f->other_thread);
        }
        json_close(j);
    }
    json_close(j);
}

static void add_launch(struct json *j, const struct kernel *k,
                       const struct run_spec *spec, const struct run_result *r)
{
    static const char *const orders[] = {"ascending", "descending", "random"};

    if (k->stage)
        json_add_text(j, "stage", k->stage->name);
    json_add_text(j, "file", k->file);
    json_add_text(j, "kernel", k->name);
    json_add_text(j, "device", k->device->ops->name);
    if (*k->compiled.compiler)
        json_add_text(j, "compiler", k->compiled.compiler);
    json_add_uint(j, "n", r->n);
    json_add_uint(j, "block", r->block);
    json_add_uint(j, "grid", r->grid);
    json_add_uint(j, "shared_bytes", r->shared_bytes);
    json_add_text(j, "data", data_sets[spec->data].name);
    json_add_uint(j, "offset", spec->offset);
    json_add_uint(j, "seed", spec->seed);
    json_add_text(j, "order", orders[spec->order]);
}

static void add_time(struct json *j, const struct run_result *r)
{
    const struct cost_result *t = &r->launch.time;

    if (!t->is_known)
        return;
    json_add_text(j, "gpu", t->gpu->name);
    json_open_object(j, "time");
    json_add_text(j, "kind", "modelled");
    json_add_bool(j, "gpu_measured", t->gpu->is_measured);
    json_add_real(j, "us", t->time_ns / 1000);
    json_add_real(j, "gbps", (double)r->n * sizeof(float) / t->time_ns);
    json_add_real(j, "dram_bytes", t->dram_bytes);
    json_add_real(j, "limit_us", t->limit_ns / 1000);
    json_add_uint(j, "resident_blocks", t->resident);
    json_add_real(j, "waves", t->waves);
    json_open_object(j, "shares");
    for (int k = 0; k < COST_SHARES; k++)
        json_add_real(j, t->shares[k].name, t->shares[k].share);
    json_close(j);
    json_close(j);
}

void report_run_json(struct json *j, const struct kernel *k,
                     const struct run_spec *spec, const struct run_result *r)
{
    add_launch(j, k, spec, r);
    json_add_real(j, "value", (double)r->value);
    json_add_real(j, "expected", r->expected.value);
    json_add_real(j, "error", r->error);
    json_add_real(j, "tolerance", r->expected.tolerance);
    json_add_bool(j, "correct", r->correct);
    json_add_bool(j, "passed", r->passed);
    if (spec->reduction)
        json_add_text(j, "operator", spec->reduction->name);
    json_add_text(j, "verdict", verdict_word(r->verdict));
    if (*r->reason)
        json_add_text(j, "reason", r->reason);
    add_time(j, r);
    if (r->launch.counters)
        report_counters_json(j, r->launch.counters);
    report_findings_json(j, &r->launch.findings);
    if (r->launch.output && *r->launch.output)
        json_add_text(j, "output", r->launch.output);
    json_open_object(j, "host");
    json_add_real(j, "wall_s", r->launch.wall_s);
    json_add_uint(j, "warp_instructions", r->launch.warp_instructions);
    json_add_uint(j, "thread_instructions", r->launch.thread_instructions);
    json_add_int(j, "threads", r->launch.threads);
    json_close(j);
}
