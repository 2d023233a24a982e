/* One launch on a GPU: what is checked before, while it runs, and after it.
 * See cuda_device.h. */
#include "base/arena.h"
#include "device/cuda_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- before ------------------------------------------------------------------- */

static bool set_parameters(const struct device_launch *launch,
                           struct cuda_prepared *p, struct error *e)
{
    const struct ptx_function *f = launch->kernel;
    size_t at = 0;

    if (f->param_count > (int)(sizeof p->params / sizeof *p->params))
        return error_set(e, "'%s' has too many parameters", f->name);
    for (int i = 0; i < f->param_count; i++) {
        size_t align =
            f->params[i]->align > 0 ? (size_t)f->params[i]->align : 1;
        at = (at + align - 1) / align * align;
        p->params[i] = (char *)launch->params + at;
        at += f->params[i]->bytes;
    }
    if (at > launch->params_bytes)
        return error_set(e, "'%s' takes %zu bytes of parameters, not %zu",
                         f->name, at, launch->params_bytes);
    return true;
}

bool cuda_prepare(struct cuda_device *cuda, const struct device_launch *launch,
                  struct cuda_prepared *p, struct error *e)
{
    const struct cuda_module *module = (const void *)launch->module;

    *p = (struct cuda_prepared){.is_cooperative = module->is_cooperative};
    if (!cuda_alive(cuda, e) ||
        !cuda_check(cuda,
                    cuda->api.module_function(&p->function, module->handle,
                                              launch->kernel->name),
                    launch->kernel->name, e))
        return false;
    /* Beyond 48 KiB a kernel must ask. */
    if (launch->dynamic_shared > 32 * 1024 &&
        !cuda_check(cuda,
                    cuda->api.function_set(p->function,
                                           CUDA_FUNCTION_DYNAMIC_SHARED,
                                           (int)launch->dynamic_shared),
                    "dynamic shared memory", e))
        return false;
    return set_parameters(launch, p, e);
}

int cuda_enqueue(struct cuda_device *cuda, const struct device_launch *l,
                 struct cuda_prepared *p)
{
    if (p->is_cooperative)
        return cuda->api.launch_together(p->function, l->grid[0], l->grid[1],
                                         l->grid[2], l->block[0], l->block[1],
                                         l->block[2], l->dynamic_shared,
                                         cuda->stream, p->params);
    return cuda->api.launch(p->function, l->grid[0], l->grid[1], l->grid[2],
                            l->block[0], l->block[1], l->block[2],
                            l->dynamic_shared, cuda->stream, p->params, NULL);
}

static bool refused(struct cuda_device *cuda, int result,
                    const struct device_launch *l, struct error *e)
{
    if (result == CUDA_COOPERATIVE_TOO_LARGE)
        return error_set(e,
                         "grid %u: a kernel that waits for the whole grid "
                         "needs a grid that the GPU holds at once",
                         l->grid[0]);
    if (result == CUDA_OUT_OF_RESOURCES)
        return error_set(e,
                         "block %u: the kernel needs more registers than an "
                         "SM has for so many threads",
                         l->block[0]);
    return cuda_check(cuda, result, "the launch", e);
}

/* ---- while it runs ------------------------------------------------------------ */

/* Far more than v0, the slowest kernel that is right, takes on the slowest
 * GPU: 8 ns an element. */
static double limit_s(const struct cuda_device *cuda)
{
    double bytes = 0;
    for (const struct cuda_buffer *b = cuda->buffers; b; b = b->next)
        bytes += (double)b->buffer.bytes;
    return 10 + 2e-9 * bytes;
}

/* A kernel that hangs ends with the process; what the driver wants to do at
 * exit would wait for it. */
static void leave_at_once(int status, void *unused)
{
    (void)unused;
    fflush(NULL);
    _exit(status);
}

int cuda_wait(struct cuda_device *cuda, const volatile int *cancel)
{
    double start = now_s(), limit = limit_s(cuda);

    for (;;) {
        int result = cuda->api.stream_query(cuda->stream);
        double passed = now_s() - start;
        if (result != CUDA_NOT_READY)
            return result;
        if (passed > limit || (cancel && *cancel)) {
            cuda->is_hung = true;
            on_exit(leave_at_once, NULL);
            snprintf(cuda->lost, sizeof cuda->lost, "it still ran after %.0f s",
                     passed);
            return CUDA_NOT_READY;
        }
        if (passed > 0.002)
            usleep(200);
    }
}

/* What a kernel prints comes out of the driver at the end of the launch, on
 * file descriptor 1: it is led into a file. */
struct capture {
    FILE *file;
    int before;
};

static bool prints(const struct ptx_program *program)
{
    const struct ptx_function *f = ptx_find_function(program, "vprintf");
    return f && !f->has_body;
}

static void capture_begin(struct capture *c, const struct ptx_program *program)
{
    *c = (struct capture){.file = prints(program) ? tmpfile() : NULL};
    if (!c->file)
        return;
    fflush(stdout);
    c->before = dup(1);
    dup2(fileno(c->file), 1);
}

static char *capture_end(struct capture *c)
{
    if (!c->file)
        return NULL;
    fflush(stdout);
    dup2(c->before, 1);
    close(c->before);
    long size = fseek(c->file, 0, SEEK_END) == 0 ? ftell(c->file) : 0;
    rewind(c->file);
    char *text = checked_alloc((size_t)(size > 0 ? size : 0) + 1);
    size_t got = fread(text, 1, (size_t)(size > 0 ? size : 0), c->file);
    text[got] = '\0';
    fclose(c->file);
    return text;
}

/* ---- after it ------------------------------------------------------------------ */

static const char *kind_of(int result)
{
    switch (result) {
    case CUDA_ILLEGAL_ADDRESS: return "out-of-bounds";
    case CUDA_MISALIGNED_ADDRESS: return "misaligned";
    case CUDA_ASSERT:
    case CUDA_LAUNCH_FAILED: return "trap";
    default: return "no-progress";
    }
}

static void tell(struct cuda_device *cuda, const struct device_launch *launch,
                 const char *kind, const char *message,
                 struct finding_list *list)
{
    const char *why = NULL;
    char hint[300] = "the simulator ran the same launch: its findings say "
                     "where";
    struct finding f = {.kind = kind,
                        .severity = SEVERITY_ERROR,
                        .message = (char *)message,
                        .hint = hint,
                        .count = 1};

    if (!cuda_explain(cuda, launch, list, &why))
        snprintf(hint, sizeof hint, "%s", why);
    finding_add(list, &f);
}

/* Bytes of a guard zone that were written, and the zone as it should be. */
static uint32_t damage(struct cuda_device *cuda, cuda_address zone)
{
    uint8_t bytes[GUARD_BYTES];
    uint32_t count = 0;

    if (cuda->api.to_host(bytes, zone, GUARD_BYTES) != CUDA_OK)
        return 0;
    for (int i = 0; i < GUARD_BYTES; i++)
        count += bytes[i] != GUARD_BYTE;
    if (count)
        cuda->api.set_bytes(zone, GUARD_BYTE, GUARD_BYTES);
    return count;
}

static void check_guards(struct cuda_device *cuda,
                         const struct device_launch *launch,
                         struct device_result *result)
{
    char text[200];

    for (struct cuda_buffer *b = cuda->buffers; b; b = b->next) {
        uint32_t before = damage(cuda, b->base);
        uint32_t behind = damage(cuda, b->buffer.address + b->buffer.bytes);
        if (!before && !behind)
            continue;
        snprintf(text, sizeof text,
                 "%u bytes were written outside the buffer '%s' (%u before "
                 "it, %u behind it)",
                 before + behind, b->buffer.name, before, behind);
        result->stop = DEVICE_FAILED;
        tell(cuda, launch, "out-of-bounds", text, &result->findings);
    }
}

static void ended(struct cuda_device *cuda, const struct device_launch *launch,
                  int how, struct device_result *result)
{
    char text[400];
    struct error ignored;

    if (how == CUDA_OK) {
        check_guards(cuda, launch, result);
        return;
    }
    result->stop = DEVICE_FAILED;
    if (launch->cancel && *launch->cancel) {
        result->stop = DEVICE_CANCELLED;
        return;
    }
    if (how == CUDA_NOT_READY) {
        snprintf(text, sizeof text, "the GPU did not come to an end: %s",
                 cuda->lost);
    } else {
        cuda_check(cuda, how, "", &ignored);
        if (!*cuda->lost)
            snprintf(cuda->lost, sizeof cuda->lost, "error %d", how);
        snprintf(text, sizeof text, "the GPU stopped: %s", cuda->lost);
    }
    tell(cuda, launch, kind_of(how), text, &result->findings);
}

bool cuda_launch(struct device *device, const struct device_launch *launch,
                 struct device_result *result, struct error *e)
{
    struct cuda_device *cuda = cuda_of(device);
    struct cuda_prepared prepared;
    struct capture capture;

    *result = (struct device_result){0};
    if (!cuda_prepare(cuda, launch, &prepared, e))
        return false;
    capture_begin(&capture, launch->module->program);
    double start = now_s();
    int how = cuda_enqueue(cuda, launch, &prepared);
    if (how != CUDA_OK) {
        free(capture_end(&capture));
        return refused(cuda, how, launch, e);
    }
    how = cuda_wait(cuda, launch->cancel);
    result->wall_s = now_s() - start;
    /* The driver hands out printed text when it waits. */
    if (how == CUDA_OK && capture.file)
        how = cuda->api.stream_wait(cuda->stream);
    result->output = capture_end(&capture);
    ended(cuda, launch, how, result);
    finding_sort(&result->findings);
    return true;
}
