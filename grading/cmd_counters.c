/* lab counters: what one launch did, counted as a GPU's profiler counts. */
#include "grading/cmd.h"
#include "lab/report_counters.h"

#include <string.h>

static void print_json(const struct kernel *k, const struct run_spec *spec,
                       const struct run_result *r, bool *ok, struct error *e)
{
    struct json *j = json_new();
    report_run_json(j, k, spec, r);
    report_counters_parts_json(j, r->launch.counters);
    *ok = json_print(j, stdout, e);
    json_free(j);
}

static void print_text(const struct options *o, const struct kernel *k,
                       const struct run_result *r)
{
    printf("%s  n = %llu, block %u, grid %llu, %llu warps\n",
           k->stage ? k->stage->name : k->file, (unsigned long long)r->n,
           r->block, (unsigned long long)r->grid,
           (unsigned long long)r->launch.counters->warps);
    if (!r->passed)
        printf("It does not give the right sum; these are the counters of a "
               "wrong kernel.\n");
    report_counters(stdout, r->launch.counters, o->by, k->file);
}

static int count(struct context *context, const struct options *o,
                 const struct kernel *k, struct error *e)
{
    struct run_spec spec = run_defaults(k);
    struct run_result result;
    bool ok = true;
    options_apply(o, &spec);
    spec.checks = 0;
    spec.counters = true;
    spec.is_single = true;
    spec.cancel = context->cancel;
    if (!run_shown(k, &spec, "counting", &result, e))
        return cannot(e);
    if (!result.launch.counters) {
        ok = error_set(e, "the device %s does not count; --device sim does",
                       k->device->ops->name);
    } else if (result.verdict == VERDICT_CANCELLED) {
        error_set(e, "stopped");
        ok = false;
    } else if (o->json) {
        print_json(k, &spec, &result, &ok, e);
    } else {
        print_text(o, k, &result);
    }
    int status = !ok ? cannot(e) : result.passed ? OUTCOME_OK : OUTCOME_FAILED;
    run_result_free(&result);
    return status;
}

int cmd_counters(struct context *context, const struct options *o)
{
    struct error e;
    struct kernel k = {0};
    struct device *device = device_open(o->device ? o->device : "sim", &e);

    if (!device)
        return cannot(&e);
    const struct kernel_request request = {
        &context->home, device,      o->words[0],    o->from,
        o->kernel,      o->compiler, context->cancel};
    int status = kernel_load(&request, &k, &e);
    if (status == OUTCOME_OK)
        status = count(context, o, &k, &e);
    else if (status == OUTCOME_FAILED)
        fprintf(stderr, "%s\n", e.text);
    else
        cannot(&e);
    kernel_free(&k);
    device_close(device);
    return status;
}
