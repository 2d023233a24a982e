/* lab demo on a device that has a clock: the reference solutions measured beside
 * each other. */
#include "base/arena.h"
#include "grading/ladder_report.h"
#include "lab/number.h"

#include <stdlib.h>

static void say_row(const struct stage *stage, const struct timing *t,
                    double first_ms, double copy_gb_s, double sheet_gb_s)
{
    char number[16];

    printf("%-2s %-23.23s %8.4f %5.1f%% %8.4f %7.1f",
           stage_short(stage, number, 16), stage->idea, t->ms,
           50 * (t->high - t->low) / t->ms, t->back_ms, t->gb_s);
    printf(" %4.0f%% %4.0f%% %6.1fx\n",
           copy_gb_s > 0 ? 100 * t->gb_s / copy_gb_s : 0,
           sheet_gb_s > 0 ? 100 * t->gb_s / sheet_gb_s : 0, first_ms / t->ms);
    if (t->wrong)
        printf("   %sWRONG%s in %d timed runs: %.9g instead of %.9g\n",
               colour_on(stdout, COLOUR_RED), colour_off(stdout), t->wrong,
               (double)t->wrong_value, t->right_value);
    if (t->is_impossible)
        printf("   %sfaster than the memory can deliver%s: it cannot have read "
               "all of its input\n",
               colour_on(stdout, COLOUR_RED), colour_off(stdout));
}

static void say_table(struct device *device, const struct timing_spec *spec,
                      const struct timing *t, double empty_ms)
{
    char n[32], line[160];
    double copy = device->ops->copy_gb_s(device);
    double sheet = device->limits.memory_gb_s;

    device->ops->describe(device, line, sizeof line);
    printf("the solutions, n = %s, on the %s\n",
           number_text(spec->n, n, sizeof n), line);
    printf("median of runs that stand alone, on inputs that are not in the L2; "
           "+- is half of\nwhat 80%% of them span; queued: a run among others "
           "behind each other.\nAn empty kernel shows %.4f ms.\n",
           empty_ms);
    printf("copy: %.0f GB/s measured; sheet: %.0f GB/s by the data sheet\n\n",
           copy, sheet);
    printf("%s%-26s %8s %6s %8s %7s %5s %5s %7s%s\n",
           colour_on(stdout, COLOUR_BOLD), "idea", "ms", "+-", "queued", "GB/s",
           "copy", "sheet", "faster", colour_off(stdout));
    for (int i = 0; i < stage_count; i++)
        say_row(&stages[i], &t[i], t[0].ms, copy, sheet);
}

static void add_json(struct json *j, const struct timing *t, double empty_ms,
                     double copy_gb_s)
{
    json_open_array(j, "stages");
    for (int i = 0; i < stage_count; i++) {
        json_open_object(j, NULL);
        json_add_text(j, "stage", stages[i].name);
        json_add_real(j, "ms", t[i].ms);
        json_add_real(j, "low_ms", t[i].low);
        json_add_real(j, "high_ms", t[i].high);
        json_add_real(j, "back_to_back_ms", t[i].back_ms);
        json_add_real(j, "gb_s", t[i].gb_s);
        json_add_bool(j, "is_right", t[i].wrong == 0);
        json_add_bool(j, "is_impossible", t[i].is_impossible);
        json_close(j);
    }
    json_close(j);
    json_add_real(j, "empty_ms", empty_ms);
    json_add_real(j, "copy_gb_s", copy_gb_s);
}

static int show(const struct options *o, struct device *device,
                const struct timing_spec *spec, const struct timing *t,
                double empty_ms)
{
    struct error e;
    int worst = OUTCOME_OK;

    for (int i = 0; i < stage_count; i++)
        if (t[i].wrong || t[i].is_impossible)
            worst = OUTCOME_FAILED;
    if (!o->json) {
        say_table(device, spec, t, empty_ms);
        return worst;
    }
    struct json *j = json_new();
    add_json(j, t, empty_ms, device->ops->copy_gb_s(device));
    if (!json_print(j, stdout, &e))
        worst = cannot(&e);
    json_free(j);
    return worst;
}

enum { REPORT_LIMIT = 1 << 25 };

/* The page about it; that it cannot be written fails nothing. */
static void tell_report(struct context *context, const struct options *o,
                        struct device *device, uint64_t n,
                        const struct timing *t, double empty_ms)
{
    const struct ladder_clock clock = {t, device->ops->copy_gb_s(device),
                                       empty_ms};
    char line[160];
    struct error e;
    if (!json_available(&e)) {
        printf("\nno page about it: %s\n", e.text);
        return;
    }
    if (n > REPORT_LIMIT) { /* minutes, where the GPU took seconds */
        printf("\nno page about it: the simulator would take long for so many "
               "elements; up to 2^25\nthere is one\n");
        return;
    }
    device->ops->describe(device, line, sizeof line);
    printf("\nthe same on the simulator, for the report:\n");
    ladder_report_make(context, o, n, line, &clock);
}

int demo_timed(struct context *context, const struct options *o,
               struct device *device, uint64_t n)
{
    struct error e;
    struct kernel *kernels =
        checked_alloc((size_t)stage_count * sizeof *kernels);
    const struct kernel **list =
        checked_alloc((size_t)stage_count * sizeof(void *));
    struct timing *t = checked_alloc((size_t)stage_count * sizeof *t);
    const struct timing_spec spec = {.n = n,
                                     .block = o->has_block ? o->block : 0,
                                     .grid = o->grid,
                                     .seed = o->has_seed ? o->seed : 1,
                                     .cancel = context->cancel};
    int status = OUTCOME_OK;
    double empty_ms = 0;

    for (int i = 0; status == OUTCOME_OK && i < stage_count; i++) {
        const struct kernel_request request = {
            &context->home, device,
            stages[i].name, o->from ? o->from : "solutions",
            NULL,           o->compiler,
            context->cancel};
        status = kernel_load(&request, &kernels[i], &e);
        list[i] = &kernels[i];
    }
    if (status == OUTCOME_OK &&
        !timing_run(device, list, stage_count, &spec, t, &empty_ms, &e))
        status = OUTCOME_CANNOT;
    if (status == OUTCOME_OK) {
        status = show(o, device, &spec, t, empty_ms);
        if (!o->json)
            tell_report(context, o, device, n, t, empty_ms);
    } else if (!*context->cancel)
        cannot(&e);
    for (int i = 0; i < stage_count; i++)
        kernel_free(&kernels[i]);
    free(kernels);
    free(list);
    free(t);
    return status;
}
