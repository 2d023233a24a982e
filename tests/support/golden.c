/* Figures measured on a GPU, and the same launches here.  See golden.h. */
#include "tests/support/golden.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUT_BYTES = 1 << 16 };

/* ---- the table ------------------------------------------------------------------*/

static void read_header(struct golden *g, char *line)
{
    int k = 0;
    char *save;
    for (char *w = strtok_r(line, ",", &save); w && k < GOLDEN_COLUMNS + 4;
         w = strtok_r(NULL, ",", &save), k++)
        if (k >= 4)
            snprintf(g->name[g->columns++], sizeof g->name[0], "%s", w);
}

static void read_row(struct golden *g, char *line)
{
    char *save, *w = strtok_r(line, ",", &save);
    g->rows =
        checked_realloc(g->rows, (size_t)(g->count + 1) * sizeof *g->rows);
    struct golden_row *row = &g->rows[g->count++];
    memset(row, 0, sizeof *row);
    for (int k = 0; w && k < g->columns + 4;
         w = strtok_r(NULL, ",", &save), k++) {
        switch (k) {
        case 0: snprintf(row->kernel, sizeof row->kernel, "%s", w); break;
        case 1: row->n = strtoull(w, NULL, 10); break;
        case 2: row->block = (uint32_t)strtoul(w, NULL, 10); break;
        case 3: row->grid = strtoull(w, NULL, 10); break;
        default: row->value[k - 4] = strtod(w, NULL); break;
        }
    }
}

bool golden_read(struct golden *g, const char *path, struct error *e)
{
    struct text text = {0};
    char *save;
    memset(g, 0, sizeof *g);
    if (!text_read_file(&text, path, 1 << 24, e))
        return false;
    char *line = strtok_r(text.data, "\n", &save);
    if (line)
        read_header(g, line);
    while ((line = strtok_r(NULL, "\n", &save)))
        read_row(g, line);
    text_free(&text);
    return g->count || error_set(e, "%s has no rows", path);
}

void golden_free(struct golden *g)
{
    free(g->rows);
    g->rows = NULL;
}

int golden_column(const struct golden *g, const char *name)
{
    for (int k = 0; k < g->columns; k++)
        if (!strcmp(g->name[k], name))
            return k;
    return -1;
}

bool golden_is_solution(const struct golden_row *row)
{
    return row->kernel[0] == 'v' && row->kernel[1] >= '0' &&
           row->kernel[1] <= '9';
}

/* ---- the launch -------------------------------------------------------------------*/

/* As in tests/golden/measure.c. */
static float element(size_t i)
{
    return (float)((i * 2654435761u >> 8) % 2001) / 1000.0f - 1.0f;
}

static bool run_row(struct device *d, struct device_module *module,
                    const struct golden_row *row, float *host,
                    struct watcher *beside, struct device_result *result,
                    struct error *e)
{
    const float zero = 0;
    struct device_buffer *in, *out;
    in = d->ops->buffer_new(d, "in", row->n * sizeof *host, DEVICE_INPUT, host,
                            e);
    out = d->ops->buffer_new(d, "out", OUT_BYTES, DEVICE_DATA, NULL, e);
    bool ok = in && out;
    if (ok) {
        struct {
            uint64_t in, out, n;
        } params = {in->address, out->address, row->n};
        const struct device_launch what = {
            .module = module,
            .kernel = ptx_find_function(module->program, "reduce"),
            .grid = {(uint32_t)row->grid, 1, 1},
            .block = {row->block, 1, 1},
            .dynamic_shared = golden_is_solution(row) ? 4 * row->block : 0,
            .params = &params,
            .params_bytes = sizeof params,
            .counters = true,
            .watchers = &beside,
            .watcher_count = beside != NULL,
        };
        ok = d->ops->upload(d, out, 0, &zero, sizeof zero, e) &&
             d->ops->launch(d, &what, result, e);
    }
    d->ops->buffer_free(d, in);
    d->ops->buffer_free(d, out);
    return ok;
}

static struct counters *count_program(struct device *d,
                                      const struct ptx_program *program,
                                      const struct golden_row *row,
                                      struct watcher *beside, struct error *e)
{
    struct device_result result = {0};
    struct counters *counters = NULL;
    float *host = checked_alloc(row->n * sizeof *host + 64);
    struct device_module *module = d->ops->load(d, program, e);
    for (size_t i = 0; i < row->n; i++)
        host[i] = element(i);
    if (module && run_row(d, module, row, host, beside, &result, e)) {
        counters = result.counters;
        result.counters = NULL;
    }
    device_result_free(&result);
    if (module)
        d->ops->unload(d, module);
    free(host);
    return counters;
}

struct counters *golden_count(const char *folder, const struct golden_row *row,
                              struct watcher *beside, struct error *e)
{
    char path[600];
    struct text text = {0};
    struct counters *counters = NULL;
    struct ptx_program *program = NULL;
    struct device *device = device_open("sim", e);
    snprintf(path, sizeof path, "%s/%s.ptx", folder, row->kernel);
    if (device && text_read_file(&text, path, 1 << 24, e))
        program = ptx_load(path, text.data, text.length, e);
    if (program)
        counters = count_program(device, program, row, beside, e);
    ptx_free(program);
    text_free(&text);
    device_close(device);
    return counters;
}

bool golden_ours(const struct counters *c, const char *name, double *value)
{
    for (int k = 0; k < COUNTERS; k++) {
        if (strcmp(counter_infos[k].name, name) != 0)
            continue;
        *value = (double)c->total[k];
        return true;
    }
    for (int k = 0; k < counter_ratio_count; k++) {
        if (strcmp(counter_ratios[k].name, name) != 0)
            continue;
        *value = counters_ratio(c, &counter_ratios[k]);
        return true;
    }
    return false;
}
