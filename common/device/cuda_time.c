/* The clock of a GPU: events around launches, and around a graph of them.
 * See device.h. */
#include "device/cuda_device.h"

#include <stdlib.h>

static bool enqueue_all(struct cuda_device *cuda,
                        const struct device_launch *launches, int count,
                        struct cuda_prepared *prepared, struct error *e)
{
    for (int i = 0; i < count; i++)
        if (!cuda_check(cuda, cuda_enqueue(cuda, &launches[i], &prepared[i]),
                        "the launch", e))
            return false;
    return true;
}

/* A graph of the launches, ready to run; NULL and a message if there is none. */
static cuda_handle graph_of(struct cuda_device *cuda,
                            const struct device_launch *launches, int count,
                            struct cuda_prepared *prepared, struct error *e)
{
    cuda_handle graph = NULL, ready = NULL;

    if (!cuda_check(cuda,
                    cuda->api.capture_begin(cuda->stream, CUDA_CAPTURE_RELAXED),
                    "a graph", e))
        return NULL;
    bool ok = enqueue_all(cuda, launches, count, prepared, e);
    int result = cuda->api.capture_end(cuda->stream, &graph);
    if (ok && cuda_check(cuda, result, "a graph", e))
        cuda_check(cuda, cuda->api.graph_make(&ready, graph, 0), "a graph", e);
    if (graph)
        cuda->api.graph_free(graph);
    return ready;
}

static bool between_events(struct cuda_device *cuda,
                           const struct device_launch *launches, int count,
                           struct cuda_prepared *prepared, cuda_handle graph,
                           double *ms, struct error *e)
{
    float passed = 0;
    bool ok = cuda_check(cuda, cuda->api.event_record(cuda->from, cuda->stream),
                         "the clock", e);

    if (ok && graph)
        ok = cuda_check(cuda, cuda->api.graph_launch(graph, cuda->stream),
                        "the graph", e);
    else if (ok)
        ok = enqueue_all(cuda, launches, count, prepared, e);
    ok = ok && cuda_check(cuda, cuda->api.event_record(cuda->to, cuda->stream),
                          "the clock", e);
    int how = cuda_wait(cuda, NULL);
    if (ok && how == CUDA_NOT_READY)
        return cuda_alive(cuda, e);
    ok =
        ok && cuda_check(cuda, how, "the launch", e) &&
        cuda_check(cuda, cuda->api.event_elapsed(&passed, cuda->from, cuda->to),
                   "the clock", e);
    *ms = (double)passed;
    return ok;
}

bool cuda_time(struct device *device, const struct device_launch *launches,
               int count, enum device_clock clock, double *ms, struct error *e)
{
    struct cuda_device *cuda = cuda_of(device);
    struct cuda_prepared *prepared =
        calloc((size_t)count + 1, sizeof *prepared);
    cuda_handle graph = NULL;
    bool ok = prepared != NULL;

    for (int i = 0; ok && i < count; i++)
        ok = cuda_prepare(cuda, &launches[i], &prepared[i], e);
    if (ok && clock == CLOCK_GRAPH) {
        graph = graph_of(cuda, launches, count, prepared, e);
        /* Once before the clock starts: the first run uploads the graph. */
        ok = graph &&
             cuda_check(cuda, cuda->api.graph_launch(graph, cuda->stream),
                        "the graph", e);
    }
    ok = ok && between_events(cuda, launches, count, prepared, graph, ms, e);
    if (graph && !cuda->is_hung)
        cuda->api.graph_exec_free(graph);
    free(prepared);
    return ok;
}

double cuda_copy_gb_s(struct device *device)
{
    size_t bytes = (size_t)1 << 30, left = 0,
           all = 0; /* far more than the L2 */
    struct cuda_device *cuda = cuda_of(device);
    const struct cuda_api *api = &cuda->api;
    cuda_address from = 0, to = 0;
    float best = 0;

    if (*cuda->lost)
        return 0;
    api->memory_info(&left, &all);
    while (bytes > left / 4)
        bytes /= 2;
    bool ok = api->memory_new(&from, bytes) == CUDA_OK &&
              api->memory_new(&to, bytes) == CUDA_OK;
    for (int run = 0; ok && run < 10; run++) {
        float ms = 0;
        ok = api->event_record(cuda->from, cuda->stream) == CUDA_OK &&
             api->copy(to, from, bytes, cuda->stream) == CUDA_OK &&
             api->event_record(cuda->to, cuda->stream) == CUDA_OK &&
             api->stream_wait(cuda->stream) == CUDA_OK &&
             api->event_elapsed(&ms, cuda->from, cuda->to) == CUDA_OK;
        if (run > 0 && (best == 0 || ms < best))
            best = ms;
    }
    if (to)
        api->memory_free(to);
    if (from)
        api->memory_free(from);
    return ok && best > 0 ? 2e-6 * (double)bytes / (double)best : 0;
}
