/* lab demo: the reference solutions sum one large array; a table. */
#include "grading/ladder_report.h"
#include "lab/number.h"

#include <math.h>
#include <string.h>

static const uint64_t DEMO_N = 10000000;

static void say_head(const struct options *o, const struct device *device,
                     const struct run_spec *spec)
{
    char n[32], line[160];

    if (o->json)
        return;
    device->ops->describe(device, line, sizeof line);
    printf("%s reference solutions, n = %s, data %s\n",
           o->from ? "kernels of a folder instead of the" : "the",
           number_text(spec->n, n, sizeof n), data_sets[spec->data].name);
    printf("on the %s\n", line);
    printf("time, GB/s: modelled, %s; error: share of sum |x|\n\n",
           o->gpu ? o->gpu->title : gpus[0].title);
    printf("%s%-2s %-26s %8s %5s %7s %8s %7s %7s%s\n",
           colour_on(stdout, COLOUR_BOLD), "", "stage", "time", "GB/s",
           "than v0", "host", "error", "", colour_off(stdout));
}

/* 9.89 us, 1.23 ms */
static const char *time_text(double ns, char *text, size_t size)
{
    if (ns < 999500)
        snprintf(text, size, "%.4g us", ns / 1000);
    else
        snprintf(text, size, "%.4g ms", ns / 1e6);
    return text;
}

/* `first_ns`: the time of the first stage. */
static void say_row(const struct kernel *k, const struct run_result *r,
                    double *first_ns)
{
    char number[16], time[32];
    double ns = r->launch.time.time_ns;
    double share = r->expected.magnitude > 0
                       ? fabs(r->error) / r->expected.magnitude
                       : fabs(r->error);

    if (*first_ns <= 0)
        *first_ns = ns;
    printf("%-2s %-24s %10s %5.0f %6.0fx %6.2f s %7.0e %s%s%s\n",
           stage_short(k->stage, number, sizeof number), k->stage->title,
           time_text(ns, time, sizeof time),
           ns > 0 ? 4.0 * (double)r->n / ns : 0, ns > 0 ? *first_ns / ns : 0,
           r->launch.wall_s, share,
           colour_on(stdout, r->passed ? COLOUR_GREEN : COLOUR_RED),
           r->passed ? "ok" : "NO", colour_off(stdout));
    if (!r->passed) {
        report_wrapped(stdout, 3,
                       *r->reason ? r->reason : verdict_word(r->verdict));
        report_findings(stdout, &r->launch.findings);
    }
    fflush(stdout);
}

/* What the stages share. */
struct demo {
    double total_s;               /* of the host */
    double first_ns;              /* the first stage, modelled */
    struct ladder_report *report; /* NULL: none is made */
};

static int demo_stage(struct context *context, const struct options *o,
                      struct device *device, const struct stage *stage,
                      struct json *j, struct demo *demo)
{
    struct error e;
    struct kernel k;
    struct run_result r;
    const struct kernel_request request = {
        &context->home, device,
        stage->name,    o->from ? o->from : "solutions",
        NULL,           o->compiler,
        context->cancel};
    int status = kernel_load(&request, &k, &e);

    if (status == OUTCOME_OK) {
        struct run_spec spec = run_defaults(&k);
        spec.n = DEMO_N;
        options_apply(o, &spec);
        options_gpu(o, &k, &spec);
        spec.cancel = context->cancel;
        status = run_shown(&k, &spec, stage->name, &r, &e) ? OUTCOME_OK
                                                           : OUTCOME_CANNOT;
        if (status == OUTCOME_OK) {
            demo->total_s += r.launch.wall_s;
            status = r.passed ? OUTCOME_OK : OUTCOME_FAILED;
            if (j) {
                json_open_object(j, NULL);
                report_run_json(j, &k, &spec, &r);
                json_close(j);
            } else if (!*context->cancel) {
                say_row(&k, &r, &demo->first_ns);
                if (demo->report)
                    ladder_report_add(demo->report, &k, &spec, &r, NULL);
            }
            run_result_free(&r);
            kernel_free(&k);
            return status;
        }
    }
    if (!*context->cancel)
        cannot(&e);
    kernel_free(&k);
    return status;
}

int cmd_demo(struct context *context, const struct options *o)
{
    struct error e;
    struct run_spec shown = {.n = DEMO_N, .data = DATA_RANDOM};
    struct demo demo = {0};
    int worst = OUTCOME_OK;
    struct device *device = device_open(o->device, &e);

    if (!device)
        return cannot(&e);
    options_apply(o, &shown);
    if (device->ops->time) {
        worst = demo_timed(context, o, device, shown.n);
        device_close(device);
        return worst;
    }
    struct json *j = o->json ? json_new() : NULL;
    if (j)
        json_open_array(j, "stages");
    say_head(o, device, &shown);
    if (!j && page_can_be_written(context, o, &e)) {
        char line[160];
        device->ops->describe(device, line, sizeof line);
        demo.report = ladder_report_new(context, o, shown.n, line, NULL);
    }
    for (int i = 0; i < stage_count && !*context->cancel; i++) {
        int status = demo_stage(context, o, device, &stages[i], j, &demo);
        worst = status > worst ? status : worst;
    }
    if (j) {
        json_close(j);
        json_add_real(j, "host_wall_s", demo.total_s);
        if (!json_print(j, stdout, &e))
            worst = cannot(&e);
        json_free(j);
    } else if (!*context->cancel) {
        printf("\n%-52s %6.2f s\n", "together, on this machine", demo.total_s);
        if (!demo.report)
            printf("no report: %s\n", e.text);
        else if (!ladder_report_write(demo.report, &e))
            worst = cannot(&e);
    }
    ladder_report_free(demo.report);
    device_close(device);
    return worst;
}
