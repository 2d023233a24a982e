/* A launch that failed on a GPU, once more in the simulator: that finds the
 * line.  See cuda_device.h. */
#include "base/arena.h"
#include "device/cuda_device.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TWINS = 16 };
static const uint64_t TWIN_BYTES_MAX = (uint64_t)1 << 30;
static const uint64_t BUDGET = 50000000; /* warp instructions: some seconds */

/* A buffer of the GPU and its twin in the simulator. */
struct twin {
    const struct cuda_buffer *here;
    struct device_buffer *there;
    void *copy; /* of the caller's bytes, if the kernel may change them */
};
struct twins {
    struct device *sim;
    struct device_module *module;
    struct twin twin[MAX_TWINS];
    int count;
};

static bool twin_make(struct twins *t, const struct cuda_buffer *b,
                      struct error *e)
{
    struct twin *twin = &t->twin[t->count++];
    void *host = (void *)b->host;

    twin->here = b;
    if (host && b->buffer.role == DEVICE_DATA) {
        twin->copy = checked_alloc(b->buffer.bytes + 1);
        memcpy(twin->copy, host, b->buffer.bytes);
        host = twin->copy;
    }
    twin->there = t->sim->ops->buffer_new(
        t->sim, b->buffer.name, b->buffer.bytes, b->buffer.role, host, e);
    if (!twin->there)
        return false;
    return !b->shadow || t->sim->ops->upload(t->sim, twin->there, 0, b->shadow,
                                             b->buffer.bytes, e);
}

static bool twins_make(struct twins *t, const struct cuda_device *cuda,
                       const struct device_launch *launch, const char **why)
{
    uint64_t bytes = 0;
    struct error e;

    *why = "the simulator could not run the same launch";
    t->sim = sim_device_ops.open(&e);
    if (!t->sim)
        return false;
    t->module = t->sim->ops->load(t->sim, launch->module->program, &e);
    for (const struct cuda_buffer *b = cuda->buffers; b; b = b->next) {
        bytes += b->buffer.bytes;
        if (bytes > TWIN_BYTES_MAX || (!b->host && !b->shadow)) {
            *why = "try a smaller n: then the simulator runs the same launch "
                   "and says where";
            return false;
        }
        if (t->count == MAX_TWINS || !twin_make(t, b, &e))
            return false;
    }
    return t->module != NULL;
}

static void twins_free(struct twins *t)
{
    for (int i = 0; i < t->count; i++) {
        t->sim->ops->buffer_free(t->sim, t->twin[i].there);
        free(t->twin[i].copy);
    }
    if (t->module)
        t->sim->ops->unload(t->sim, t->module);
    device_close(t->sim);
}

/* Pointers into a buffer become pointers into its twin. */
static void translate(const struct twins *t, void *params, size_t bytes)
{
    uint64_t word;

    for (size_t at = 0; at + sizeof word <= bytes; at += sizeof word) {
        memcpy(&word, (char *)params + at, sizeof word);
        for (int i = 0; i < t->count; i++) {
            const struct cuda_buffer *b = t->twin[i].here;
            uint64_t end = b->buffer.address + b->buffer.bytes + GUARD_BYTES;
            if (word < b->base || word >= end)
                continue;
            word = word - b->buffer.address + t->twin[i].there->address;
            memcpy((char *)params + at, &word, sizeof word);
            break;
        }
    }
}

bool cuda_explain(struct cuda_device *cuda, const struct device_launch *given,
                  struct finding_list *list, const char **why)
{
    struct twins t = {0};
    struct device_launch launch = *given;
    struct device_result result = {0};
    struct error e;
    bool found = false;

    if (twins_make(&t, cuda, given, why)) {
        void *params = checked_alloc(given->params_bytes + 1);
        memcpy(params, given->params, given->params_bytes);
        translate(&t, params, given->params_bytes);
        launch.module = t.module;
        launch.params = params;
        launch.budget = BUDGET;
        launch.checks = checks_all();
        launch.watcher_count = 0;
        launch.progress = NULL;
        if (t.sim->ops->launch(t.sim, &launch, &result, &e)) {
            found = finding_errors(&result.findings) > 0;
            finding_join(list, &result.findings);
            *why = "the simulator ran the same launch and found nothing wrong";
        }
        device_result_free(&result);
        free(params);
    }
    twins_free(&t);
    return found;
}
