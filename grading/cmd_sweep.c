/* lab sweep: one kernel over block sizes and grids; which is best? */
#include "grading/experiment.h"
#include "lab/number.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* ---- the desk --------------------------------------------------------------*/

bool desk_open(struct bench_desk *d, struct context *context,
               const struct options *o, const char *name, const char *columns,
               uint64_t most)
{
    *d = (struct bench_desk){.context = context, .options = o, .name = name};
    d->ticker.what = name;
    d->gpu = o->gpu ? o->gpu : gpu_find(NULL, &d->error);
    if (!*context->home.state)
        return error_set(&d->error, "the folder build/ cannot be written");
    snprintf(d->path, sizeof d->path, "%s/%s.csv", context->home.state, name);
    d->device = device_open("sim", &d->error);
    if (!d->device)
        return false;
    d->input = model_input_new(d->device, most, &d->error);
    if (!d->input)
        return false;
    d->csv = fopen(d->path, "w");
    if (!d->csv)
        return error_set(&d->error, "cannot write %s", d->path);
    fprintf(d->csv, "%s\n", columns);
    return true;
}

void desk_progress(struct bench_desk *d, double share)
{
    ticker_show(&d->ticker, share);
}

void desk_row(struct bench_desk *d)
{
    ticker_clear(&d->ticker);
}

void desk_bar(struct bench_desk *d, double value, const char *text,
              const char *label, ...)
{
    va_list list;

    if (d->bar_count == DESK_BARS)
        return;
    struct chart_bar *bar = &d->bars[d->bar_count++];
    bar->value = value;
    snprintf(bar->text, sizeof bar->text, "%s", text);
    va_start(list, label);
    vsnprintf(bar->label, sizeof bar->label, label, list);
    va_end(list);
}

int desk_close(struct bench_desk *d, bool ok)
{
    ticker_clear(&d->ticker);
    if (d->csv && (ferror(d->csv) | fclose(d->csv)) && ok)
        ok = error_set(&d->error, "cannot write %s", d->path);
    model_input_free(d->input);
    device_close(d->device);
    if (!ok)
        return *d->context->cancel ? OUTCOME_CANNOT : cannot(&d->error);
    if (d->bar_count > 0) {
        printf("\n%s%s\n", d->bars_title, d->bars_log ? ", logarithmic" : "");
        chart_bars(stdout, d->bars, d->bar_count, d->bars_log);
    }
    const char *root = d->context->home.root;
    size_t length = strlen(root);
    bool is_inside = strncmp(d->path, root, length) == 0;
    printf("\nthe same as CSV: %s\n", d->path + (is_inside ? length + 1 : 0));
    return plot_draw(d->context, d->name, &d->error) ? OUTCOME_OK
                                                     : cannot(&d->error);
}

bool desk_load(struct bench_desk *d, const char *target, const char *from,
               struct kernel *k)
{
    const struct kernel_request request = {.home = &d->context->home,
                                           .device = d->device,
                                           .target = target,
                                           .from = from,
                                           .compiler = d->options->compiler,
                                           .cancel = d->context->cancel};
    *k = (struct kernel){0};
    return kernel_load(&request, k, &d->error) == OUTCOME_OK;
}

bool desk_time(struct bench_desk *d, const struct kernel *k, uint64_t n,
               uint32_t block, uint64_t grid, struct cost_result *r)
{
    const struct model_spec spec = {.gpu = d->gpu,
                                    .n = n,
                                    .block = block,
                                    .grid = grid,
                                    .shared = -1,
                                    .cancel = d->context->cancel};
    return model_time(k, d->input, &spec, r, &d->error);
}

/* ---- the sweep --------------------------------------------------------------*/

struct best {
    double ns;
    uint32_t block;
    uint64_t grid;
};

static bool sweep_row(struct bench_desk *d, const struct kernel *k, uint64_t n,
                      uint32_t block, uint64_t grid, struct best *best)
{
    struct cost_result r;
    char blocks[32];

    if (!desk_time(d, k, n, block, grid, &r))
        return false;
    double gbps = 4.0 * (double)n / r.time_ns;
    char text[16];
    snprintf(text, sizeof text, "%.0f", gbps);
    desk_bar(d, gbps, text, "%u x %llu", block, (unsigned long long)grid);
    desk_row(d);
    printf("%6u %12s %8.1f %12.2f %6.0f   %s %.0f %%\n", block,
           number_text(grid, blocks, sizeof blocks), (double)grid / d->gpu->sms,
           r.time_ns / 1000, gbps, r.shares[0].name, 100 * r.shares[0].share);
    fprintf(d->csv, "%s,%llu,%u,%llu,%.3f,%.1f\n", d->gpu->name,
            (unsigned long long)n, block, (unsigned long long)grid,
            r.time_ns / 1000, gbps);
    fflush(stdout);
    if (best->ns <= 0 || r.time_ns < best->ns)
        *best = (struct best){r.time_ns, block, grid};
    return true;
}

bool sweep_rows(struct bench_desk *d, const struct kernel *k, uint64_t n)
{
    struct best best = {0};
    struct error ignored;

    d->bars_title = "GB/s, by block x grid";
    printf("%6s %12s %8s %12s %6s   %s\n", "block", "grid", "an SM", "us",
           "GB/s", "mostly");
    for (uint32_t block = 64; block <= 1024; block *= 2) {
        uint64_t grid = model_grid(k->stage, d->gpu, n, block, 4 * block);
        bool is_free = k->stage && k->stage->grid_rule == GRID_FILL;
        if (k->stage && !stage_block_check(k->stage, block, &ignored))
            continue;
        for (uint64_t of_sm = 1; is_free && d->gpu->sms * of_sm < grid;
             of_sm *= 2)
            if (!sweep_row(d, k, n, block, d->gpu->sms * of_sm, &best))
                return false;
        desk_progress(d, (log2(block) - 6) / 5);
        if (!sweep_row(d, k, n, block, grid, &best))
            return false;
    }
    printf("\nbest: block %u, grid %llu, %.2f us\n", best.block,
           (unsigned long long)best.grid, best.ns / 1000);
    return true;
}

int cmd_sweep(struct context *context, const struct options *o)
{
    struct bench_desk d;
    struct kernel k = {0};
    char n_text[32];
    uint64_t n = o->has_n ? o->n : 1 << 24;
    bool ok = desk_open(&d, context, o, "sweep", "gpu,n,block,grid,us,gbps", n);

    ok = ok && desk_load(&d, o->words[0], o->from, &k);
    if (ok) {
        printf("%s, n = %s, modelled on %s\n\n",
               k.stage ? k.stage->name : k.file,
               number_text(n, n_text, sizeof n_text), d.gpu->title);
        ok = sweep_rows(&d, &k, n);
    }
    kernel_free(&k);
    return desk_close(&d, ok);
}
