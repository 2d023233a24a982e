/* lab report: one page about a run of the ladder.  See ladder_report.h. */
#include "base/arena.h"
#include "base/text.h"
#include "grading/ladder_report.h"
#include "lab/number.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COUNT_N = 1 << 20 };
static const uint64_t REPORT_N = 10000000;

struct ladder_report {
    struct context *context;
    const struct options *options;
    struct json *json;
};

static const char *folder(const struct options *o)
{
    return o->from ? o->from : "solutions";
}

/* ---- the head -------------------------------------------------------------*/

static void add_gpu(struct json *j, const struct gpu *gpu)
{
    json_open_object(j, "gpu");
    json_add_text(j, "name", gpu->name);
    json_add_text(j, "title", gpu->title);
    json_add_bool(j, "is_measured", gpu->is_measured);
    json_add_real(j, "dram_gbps", gpu->dram_gbps);
    json_add_real(j, "dram_peak_gbps", gpu->dram_peak_gbps);
    /* Float additions a nanosecond: lanes of all schedulers. */
    json_add_real(j, "add_gflops",
                  gpu->clock_ghz * gpu->sms * gpu->schedulers * WARP_LANES /
                      gpu->fp32_cycles);
    json_close(j);
}

static void add_command(struct json *j, const struct options *o, uint64_t n)
{
    struct text command = {0};
    text_printf(&command, "make report N=%llu", (unsigned long long)n);
    if (o->has_block)
        text_printf(&command, " BLOCK=%u", o->block);
    if (o->gpu)
        text_printf(&command, " GPU=%s", o->gpu->name);
    if (o->device)
        text_printf(&command, " DEVICE=%s", o->device);
    if (o->compiler)
        text_printf(&command, " COMPILER=%s", o->compiler);
    if (o->from)
        text_printf(&command, " FROM=%s", o->from);
    json_add_text(j, "command", command.data);
    text_free(&command);
}

struct ladder_report *ladder_report_new(struct context *context,
                                        const struct options *o, uint64_t n,
                                        const char *device,
                                        const struct ladder_clock *clock)
{
    struct ladder_report *report = checked_alloc(sizeof *report);
    struct json *j = json_new();
    char made[40] = "";
    time_t now = time(NULL);
    struct tm when;

    *report = (struct ladder_report){context, o, j};
    if (localtime_r(&now, &when))
        strftime(made, sizeof made, "%Y-%m-%d %H:%M", &when);
    json_add_text(j, "made", made);
    json_add_text(j, "from", folder(o));
    json_add_text(j, "device", device);
    json_add_uint(j, "n", n);
    add_command(j, o, n);
    add_gpu(j, o->gpu ? o->gpu : gpu_find(NULL, NULL));
    if (clock) {
        json_open_object(j, "clock");
        json_add_real(j, "copy_gbps", clock->copy_gb_s);
        json_add_real(j, "empty_us", 1000 * clock->empty_ms);
        json_close(j);
    }
    json_open_array(j, "stages");
    return report;
}

/* ---- a stage -----------------------------------------------------------------*/

static const char *base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}

/* What each line of the kernel's own file costs. */
static void add_lines(struct json *j, const struct counters *c,
                      const char *file)
{
    static const struct {
        const char *key;
        enum counter counter, second;
    } columns[] = {
        {"instructions", COUNT_INST, COUNTERS},
        {"passes", COUNT_WAVE_LD, COUNT_WAVE_ST},
        {"conflicts", COUNT_CONFLICT_LD, COUNT_CONFLICT_ST},
        {"sectors", COUNT_SECTOR_LD, COUNT_SECTOR_ST},
        {"barriers", COUNT_BARRIER, COUNTERS},
        {"shuffles", COUNT_SHUFFLE, COUNTERS},
        {"atomics", COUNT_ATOMIC_LANES, COUNTERS},
    };
    struct counters_row *rows;
    int count = counters_by_line(c, &rows);
    json_open_array(j, "lines");
    for (int i = 0; i < count; i++) {
        if (!rows[i].line || strcmp(base_name(rows[i].file), base_name(file)))
            continue;
        json_open_object(j, NULL);
        json_add_int(j, "line", rows[i].line);
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
            uint64_t value = rows[i].value[columns[k].counter];
            if (columns[k].second < COUNTERS)
                value += rows[i].value[columns[k].second];
            if (value)
                json_add_uint(j, columns[k].key, value);
        }
        if (rows[i].worst > 1)
            json_add_uint(j, "worst", rows[i].worst);
        json_close(j);
    }
    json_close(j);
    free(rows);
}

static void add_counted(struct ladder_report *report, const struct kernel *k,
                        const struct run_spec *shown)
{
    struct json *j = report->json;
    struct run_spec spec = *shown;
    struct run_result r;
    struct error ignored;

    spec.n = shown->n < COUNT_N ? shown->n : COUNT_N;
    spec.checks = 0;
    spec.gpu = NULL;
    spec.counters = true;
    spec.is_single = true;
    spec.progress = NULL;
    if (!run_kernel(k, &spec, &r, &ignored))
        return;
    if (r.launch.counters) {
        json_open_object(j, "counted");
        json_add_uint(j, "n", spec.n);
        json_add_uint(j, "warps", r.launch.counters->warps);
        report_counters_json(j, r.launch.counters);
        add_lines(j, r.launch.counters, k->file);
        json_close(j);
    }
    run_result_free(&r);
}

static void add_names(struct json *j, const struct stage *stage)
{
    char number[16];
    json_add_text(j, "name", stage->name);
    json_add_text(j, "number", stage_short(stage, number, sizeof number));
    json_add_text(j, "title", stage->title);
    json_add_text(j, "idea", stage->idea);
}

void ladder_report_add(struct ladder_report *report, const struct kernel *k,
                       const struct run_spec *spec, const struct run_result *r,
                       const struct timing *measured)
{
    struct json *j = report->json;
    json_open_object(j, NULL);
    add_names(j, k->stage);
    json_open_object(j, "run");
    report_run_json(j, k, spec, r);
    json_close(j);
    if (measured) {
        json_open_object(j, "measured");
        json_add_real(j, "us", 1000 * measured->ms);
        json_add_real(j, "low_us", 1000 * measured->low);
        json_add_real(j, "high_us", 1000 * measured->high);
        json_add_real(j, "gbps", measured->gb_s);
        json_add_int(j, "wrong", measured->wrong);
        json_close(j);
    }
    add_counted(report, k, spec);
    page_add_source(j, k);
    json_close(j);
}

void ladder_report_add_error(struct ladder_report *report,
                             const struct stage *stage, const char *why)
{
    struct json *j = report->json;
    json_open_object(j, NULL);
    add_names(j, stage);
    json_add_text(j, "error", why);
    json_close(j);
}

bool ladder_report_write(struct ladder_report *report, struct error *e)
{
    json_close(report->json);
    return page_write(report->context, report->options, "report", "report",
                      "CUDA Reduction Labs: a run of the ladder", report->json,
                      e);
}

void ladder_report_free(struct ladder_report *report)
{
    if (!report)
        return;
    json_free(report->json);
    free(report);
}

/* ---- the command ----------------------------------------------------------------*/

static int report_stage(struct ladder_report *report, struct device *sim,
                        const struct stage *stage,
                        const struct timing *measured)
{
    const struct options *o = report->options;
    struct context *context = report->context;
    struct error e;
    struct kernel k;
    struct run_result r;
    const struct kernel_request request = {&context->home, sim,  stage->name,
                                           folder(o),      NULL, o->compiler,
                                           context->cancel};
    int status = kernel_load(&request, &k, &e);

    if (status == OUTCOME_OK) {
        struct run_spec spec = run_defaults(&k);
        spec.n = REPORT_N;
        options_apply(o, &spec);
        options_gpu(o, &k, &spec);
        spec.cancel = context->cancel;
        status = run_shown(&k, &spec, stage->name, &r, &e) ? OUTCOME_OK
                                                           : OUTCOME_CANNOT;
        if (status == OUTCOME_OK && !*context->cancel) {
            status = r.passed ? OUTCOME_OK : OUTCOME_FAILED;
            ladder_report_add(report, &k, &spec, &r, measured);
            printf("%-24s %s\n", stage->name, verdict_word(r.verdict));
            run_result_free(&r);
            kernel_free(&k);
            return status;
        }
    }
    if (!*context->cancel) {
        ladder_report_add_error(report, stage, e.text);
        printf("%-24s %s\n", stage->name, e.text);
    }
    kernel_free(&k);
    return status;
}

int ladder_report_make(struct context *context, const struct options *o,
                       uint64_t n, const char *line,
                       const struct ladder_clock *clock)
{
    struct error e;
    int worst = OUTCOME_OK;

    if (!page_can_be_written(context, o, &e))
        return cannot(&e);
    struct device *device = device_open("sim", &e);
    if (!device)
        return cannot(&e);
    struct ladder_report *report =
        ladder_report_new(context, o, n, line, clock);
    for (int i = 0; i < stage_count && !*context->cancel; i++) {
        int status = report_stage(report, device, &stages[i],
                                  clock ? &clock->timings[i] : NULL);
        worst = status > worst ? status : worst;
    }
    if (!*context->cancel && !ladder_report_write(report, &e))
        worst = cannot(&e);
    ladder_report_free(report);
    device_close(device);
    return worst;
}

int cmd_report(struct context *context, const struct options *o)
{
    struct error e;
    struct run_spec shown = {.n = REPORT_N};
    char line[160];
    struct device *device = device_open(o->device, &e);

    if (!device)
        return cannot(&e);
    options_apply(o, &shown);
    device->ops->describe(device, line, sizeof line);
    /* A GPU's table is measured first; the report follows it. */
    int status = device->ops->time
                     ? demo_timed(context, o, device, shown.n)
                     : ladder_report_make(context, o, shown.n, line, NULL);
    device_close(device);
    return status;
}
