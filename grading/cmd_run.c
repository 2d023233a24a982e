/* lab run: one launch of one kernel, as the command line says. */
#include "grading/cmd.h"

/* A failure before the launch, for people and, with --json, for programs. */
static int say_failure(const struct options *o, enum outcome outcome,
                       const struct kernel *k, const struct error *e)
{
    struct error ignored;

    if (o->json) {
        struct json *j = json_new();
        if (k->stage)
            json_add_text(j, "stage", k->stage->name);
        if (*k->file)
            json_add_text(j, "file", k->file);
        json_add_text(j, "error", e->text);
        json_print(j, stdout, &ignored);
        json_free(j);
    }
    fflush(stdout);
    if (outcome == OUTCOME_FAILED)
        fprintf(stderr, "%s\n", e->text);
    else
        cannot(e);
    return outcome;
}

static int say_result(const struct options *o, const struct kernel *k,
                      const struct run_spec *spec, const struct run_result *r,
                      struct error *e)
{
    int status = r->passed ? OUTCOME_OK : OUTCOME_FAILED;

    if (r->verdict == VERDICT_CANCELLED)
        return OUTCOME_CANNOT; /* main says that it was stopped */
    if (o->json) {
        struct json *j = json_new();
        report_run_json(j, k, spec, r);
        if (!json_print(j, stdout, e))
            status = cannot(e);
        json_free(j);
    } else {
        report_run(stdout, k, spec, r);
    }
    return status;
}

int cmd_run(struct context *context, const struct options *o)
{
    struct error e;
    struct kernel k = {0};
    struct run_result result;
    struct device *device = device_open(o->device, &e);

    if (!device)
        return say_failure(o, OUTCOME_CANNOT, &k, &e);
    const struct kernel_request request = {
        &context->home, device,      o->words[0],    o->from,
        o->kernel,      o->compiler, context->cancel};
    int status = kernel_load(&request, &k, &e);
    if (status == OUTCOME_OK) {
        struct run_spec spec = run_defaults(&k);
        options_apply(o, &spec);
        spec.counters = o->json;
        options_gpu(o, &k, &spec);
        spec.cancel = context->cancel;
        if (run_shown(&k, &spec, "running", &result, &e)) {
            status = say_result(o, &k, &spec, &result, &e);
            run_result_free(&result);
        } else {
            status = say_failure(o, OUTCOME_CANNOT, &k, &e);
        }
    } else {
        say_failure(o, (enum outcome)status, &k, &e);
    }
    kernel_free(&k);
    device_close(device);
    return status;
}
