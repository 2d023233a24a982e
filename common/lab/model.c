/* Launches of a few blocks, for their time.  See model.h. */
#define _GNU_SOURCE /* memfd_create */

#include "lab/model.h"
#include "base/arena.h"
#include "lab/data.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { RANDOM_FLOATS = 1 << 20, RANDOM_BYTES = 4 * RANDOM_FLOATS };

struct model_input {
    struct device *device;
    float *host;
    uint64_t n;
    struct device_buffer *in, *out;
};

/* The random numbers again and again: the same pages at many addresses, of a
 * file that lies in memory and needs no folder. */
static bool fill(float *host, uint64_t n, size_t bytes)
{
    uint64_t some = n < RANDOM_FLOATS ? n : RANDOM_FLOATS;

    data_fill(DATA_RANDOM, 1, some, 0, some, host);
    if (some == n)
        return true;
    int file = memfd_create("model input", 0);
    bool ok = file >= 0 && write(file, host, RANDOM_BYTES) == RANDOM_BYTES;
    for (size_t at = RANDOM_BYTES; ok && at < bytes; at += RANDOM_BYTES) {
        size_t left = bytes - at < RANDOM_BYTES ? bytes - at : RANDOM_BYTES;
        ok = mmap((char *)host + at, left, PROT_READ, MAP_PRIVATE | MAP_FIXED,
                  file, 0) != MAP_FAILED;
    }
    if (file >= 0)
        close(file); /* the pages stay */
    return ok;
}

struct model_input *model_input_new(struct device *device, uint64_t n,
                                    struct error *e)
{
    struct model_input *m = checked_alloc(sizeof *m);
    size_t bytes = (size_t)(n ? n : 1) * sizeof(float);

    m->device = device;
    m->n = n;
    m->host = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m->host == MAP_FAILED)
        m->host = NULL;
    if (!m->host || !fill(m->host, n, bytes)) {
        error_set(e, "no memory for %llu floats", (unsigned long long)n);
        model_input_free(m);
        return NULL;
    }
    m->in = device->ops->buffer_new(device, "in", n * sizeof(float),
                                    DEVICE_INPUT, m->host, e);
    if (m->in)
        m->out = device->ops->buffer_new(device, "out", sizeof(float),
                                         DEVICE_DATA, NULL, e);
    if (m->in && m->out)
        return m;
    model_input_free(m);
    return NULL;
}

void model_input_free(struct model_input *m)
{
    if (!m)
        return;
    m->device->ops->buffer_free(m->device, m->in);
    m->device->ops->buffer_free(m->device, m->out);
    if (m->host)
        munmap(m->host, (size_t)(m->n ? m->n : 1) * sizeof(float));
    free(m);
}

uint64_t model_grid(const struct stage *stage, const struct gpu *gpu,
                    uint64_t n, uint32_t block, uint32_t shared_bytes)
{
    uint64_t tile = (uint64_t)block * (stage ? stage->items : 1);
    uint64_t cover = n / tile + (n % tile != 0);
    uint64_t fill =
        (uint64_t)gpu->sms * gpu_resident_blocks(gpu, block, 0, shared_bytes);

    if (cover == 0)
        cover = 1;
    if (stage && stage->grid_rule == GRID_FILL && fill < cover)
        return fill;
    return cover;
}

bool model_time(const struct kernel *k, struct model_input *m,
                const struct model_spec *spec, struct cost_result *result,
                struct error *e)
{
    uint32_t shared =
        spec->shared < 0 ? spec->block * 4 : (uint32_t)spec->shared;
    uint64_t grid = spec->grid ? spec->grid
                               : model_grid(k->stage, spec->gpu, spec->n,
                                            spec->block, shared);
    struct {
        uint64_t in, out, n;
    } params = {m->in->address, m->out->address, spec->n};
    uint64_t blocks[COST_SAMPLES];
    const struct device_launch launch = {
        .module = k->module,
        .kernel = k->function,
        .grid = {(uint32_t)grid, 1, 1},
        .block = {spec->block, 1, 1},
        .dynamic_shared = shared,
        .params = &params,
        .params_bytes = sizeof params,
        .budget = 100000000 + 100 * spec->n,
        .threads = spec->threads,
        .only = cost_needs_all_blocks(k->function) ? NULL : blocks,
        .only_count = (uint64_t)cost_samples(grid, blocks),
        .gpu = spec->gpu,
        .cancel = spec->cancel,
    };
    struct device_result ran = {0};
    const float zero = 0;
    bool ok =
        k->device->ops->upload(k->device, m->out, 0, &zero, sizeof zero, e) &&
        k->device->ops->launch(k->device, &launch, &ran, e);

    if (ok) {
        *result = ran.time;
        if (!result->is_known || ran.stop != DEVICE_DONE)
            ok = error_set(e, "the kernel did not run to its end");
    }
    device_result_free(&ran);
    return ok;
}
