/* lab demo: the seven reference solutions sum one large array; a table. */
#include "grading/cmd.h"
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
    printf("on the %s; error is the share of sum |x|\n\n", line);
    printf("%s%-2s %-40s %8s %14s %7s %s%s\n", colour_on(stdout, COLOUR_BOLD),
           "", "idea", "host", "value", "error", "", colour_off(stdout));
}

static void say_row(const struct kernel *k, const struct run_result *r)
{
    char number[16];
    double share = r->expected.magnitude > 0
                       ? fabs(r->error) / r->expected.magnitude
                       : fabs(r->error);

    printf("%-2s %-40s %6.2f s %14.9g %7.0e %s%s%s\n",
           stage_short(k->stage, number, sizeof number), k->stage->idea,
           r->launch.wall_s, (double)r->value, share,
           colour_on(stdout, r->passed ? COLOUR_GREEN : COLOUR_RED),
           r->passed ? "ok" : "NO", colour_off(stdout));
    if (!r->passed) {
        report_wrapped(stdout, 3,
                       *r->reason ? r->reason : verdict_word(r->verdict));
        report_findings(stdout, &r->launch.findings);
    }
    fflush(stdout);
}

/* One stage; adds its time to `total_s`. */
static int demo_stage(struct context *context, const struct options *o,
                      struct device *device, const struct stage *stage,
                      struct json *j, double *total_s)
{
    struct error e;
    struct kernel k;
    struct run_result r;
    struct ticker ticker = {.what = stage->name};
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
        spec.cancel = context->cancel;
        spec.progress = ticker_show;
        spec.progress_data = &ticker;
        status = run_kernel(&k, &spec, &r, &e) ? OUTCOME_OK : OUTCOME_CANNOT;
        ticker_clear(&ticker);
        if (status == OUTCOME_OK) {
            *total_s += r.launch.wall_s;
            status = r.passed ? OUTCOME_OK : OUTCOME_FAILED;
            if (j) {
                json_open_object(j, NULL);
                report_run_json(j, &k, &spec, &r);
                json_close(j);
            } else if (!*context->cancel) {
                say_row(&k, &r);
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
    double total_s = 0;
    int worst = OUTCOME_OK;
    struct device *device = device_open(o->device, &e);

    if (!device)
        return cannot(&e);
    struct json *j = o->json ? json_new() : NULL;
    if (j)
        json_open_array(j, "stages");
    options_apply(o, &shown);
    say_head(o, device, &shown);
    for (int i = 0; i < stage_count && !*context->cancel; i++) {
        int status = demo_stage(context, o, device, &stages[i], j, &total_s);
        worst = status > worst ? status : worst;
    }
    if (j) {
        json_close(j);
        json_add_real(j, "host_wall_s", total_s);
        if (!json_print(j, stdout, &e))
            worst = cannot(&e);
        json_free(j);
    } else if (!*context->cancel) {
        printf("\n%-43s %6.2f s\n", "together", total_s);
    }
    device_close(device);
    return worst;
}
