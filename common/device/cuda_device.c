/* A GPU behind NVIDIA's driver as a device: opening it, modules, buffers.
 * See cuda_device.h. */
#include "device/cuda_device.h"
#include "base/arena.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- errors ------------------------------------------------------------------ */

bool cuda_is_sticky(int result)
{
    return (result >= CUDA_ILLEGAL_ADDRESS && result < 720 &&
            result != CUDA_OUT_OF_RESOURCES) ||
           (result >= 214 && result <= 215); /* ECC, NVLink */
}

bool cuda_check(struct cuda_device *cuda, int result, const char *what,
                struct error *e)
{
    char words[256];

    if (result == CUDA_OK)
        return true;
    cuda_words(&cuda->api, result, words, sizeof words);
    if (cuda_is_sticky(result) && !*cuda->lost)
        snprintf(cuda->lost, sizeof cuda->lost, "%s", words);
    return error_set(e, "%s: %s", what, words);
}

bool cuda_alive(const struct cuda_device *cuda, struct error *e)
{
    if (!*cuda->lost)
        return true;
    return error_set(e,
                     "the GPU takes no more work from this process since an "
                     "earlier kernel failed: %s",
                     cuda->lost);
}

/* ---- opening ------------------------------------------------------------------ */

static uint32_t attribute(struct cuda_device *cuda, int which)
{
    int value = 0;
    cuda->api.device_attribute(&value, which, cuda->number);
    return value > 0 ? (uint32_t)value : 0;
}

static void read_limits(struct cuda_device *cuda)
{
    double clock_hz = 1e3 * attribute(cuda, CUDA_MEMORY_CLOCK_KHZ);
    double bus_bytes = attribute(cuda, CUDA_MEMORY_BUS_BITS) / 8.0;

    cuda->capability = (int)(10 * attribute(cuda, CUDA_CAPABILITY_MAJOR) +
                             attribute(cuda, CUDA_CAPABILITY_MINOR));
    cuda->api.device_name(cuda->name, sizeof cuda->name, cuda->number);
    cuda->device.limits = (struct device_limits){
        .max_threads = attribute(cuda, CUDA_MAX_THREADS_PER_BLOCK),
        .max_grid = {attribute(cuda, CUDA_MAX_GRID_X),
                     attribute(cuda, CUDA_MAX_GRID_Y),
                     attribute(cuda, CUDA_MAX_GRID_Z)},
        .shared_bytes = attribute(cuda, CUDA_MAX_SHARED_PER_BLOCK),
        .shared_most = attribute(cuda, CUDA_MAX_SHARED_OPTIN),
        .sm_count = attribute(cuda, CUDA_SM_COUNT),
        .sm_threads = attribute(cuda, CUDA_MAX_THREADS_PER_SM),
        .sm_blocks = attribute(cuda, CUDA_MAX_BLOCKS_PER_SM),
        .sm_shared_bytes = attribute(cuda, CUDA_MAX_SHARED_PER_SM),
        .l2_bytes = attribute(cuda, CUDA_L2_BYTES),
        /* Two transfers a clock. */
        .memory_gb_s = 2e-9 * clock_hz * bus_bytes,
    };
}

static bool use_device(struct cuda_device *cuda, struct error *e)
{
    int count = 0;
    int result = cuda->api.device_count(&count);

    if (result == CUDA_OK && count == 0)
        return error_set(e, "the NVIDIA driver is here, but it finds no GPU");
    if (!cuda_check(cuda, result, "counting the GPUs", e) ||
        !cuda_check(cuda, cuda->api.device_get(&cuda->number, 0), "the GPU", e))
        return false;
    result = cuda->api.context_retain(&cuda->context, cuda->number);
    if (result == CUDA_DEVICE_BUSY)
        return error_set(e, "the GPU is busy: another process has it for "
                            "itself (nvidia-smi shows which)");
    if (result == CUDA_OUT_OF_MEMORY)
        return error_set(e, "the GPU has no memory left for another process "
                            "(nvidia-smi shows who has it)");
    return cuda_check(cuda, result, "opening the GPU", e) &&
           cuda_check(cuda, cuda->api.context_use(cuda->context),
                      "using the GPU", e) &&
           cuda_check(
               cuda,
               cuda->api.stream_new(&cuda->stream, CUDA_STREAM_NON_BLOCKING),
               "a stream", e) &&
           cuda_check(cuda, cuda->api.event_new(&cuda->from, 0), "a clock",
                      e) &&
           cuda_check(cuda, cuda->api.event_new(&cuda->to, 0), "a clock", e);
}

static struct device *cuda_open(struct error *e)
{
    struct cuda_device *cuda = checked_alloc(sizeof *cuda);

    cuda->device.ops = &cuda_device_ops;
    if (!cuda_api_open(&cuda->api, e) || !use_device(cuda, e)) {
        free(cuda);
        return NULL;
    }
    read_limits(cuda);
    return &cuda->device;
}

static void cuda_close(struct device *device)
{
    struct cuda_device *cuda = cuda_of(device);

    /* While a kernel hangs, every call would wait for it. */
    if (!cuda->is_hung) {
        cuda->api.event_free(cuda->from);
        cuda->api.event_free(cuda->to);
        cuda->api.stream_free(cuda->stream);
        cuda->api.context_release(cuda->number);
    }
    free(cuda);
}

static void cuda_describe(const struct device *device, char *line, size_t size)
{
    const struct cuda_device *cuda = (const struct cuda_device *)device;
    int version = 0;

    cuda->api.driver_version(&version);
    snprintf(line, size, "%s (%u SMs, capability %d.%d, driver of CUDA %d.%d)",
             cuda->name, device->limits.sm_count, cuda->capability / 10,
             cuda->capability % 10, version / 1000, version % 1000 / 10);
}

/* ---- modules ------------------------------------------------------------------ */

/* Kernels that wait for the whole grid find the place to do so in %envreg1
 * and %envreg2, which only a cooperative launch sets. */
static bool waits_for_grid(const struct ptx_program *program)
{
    for (int k = 0; k < program->function_count; k++) {
        const struct ptx_function *f = program->functions[k];
        for (int i = 0; i < f->insn_count; i++)
            for (int o = 0; o < f->insns[i].operand_count; o++) {
                const struct ptx_operand *at = &f->insns[i].operand[o];
                if (at->kind == OPERAND_SPECIAL && at->special == SR_ENVREG)
                    return true;
            }
    }
    return false;
}

static bool load_failed(struct cuda_device *cuda, int result,
                        const struct ptx_program *program, const char *log,
                        struct error *e)
{
    if (result == CUDA_UNSUPPORTED_PTX_VERSION)
        return error_set(e,
                         "%s is PTX %d.%d, which this driver is too old for: "
                         "update the driver, or compile with an older nvcc or "
                         "with clang (COMPILER=clang)",
                         program->name, program->version_major,
                         program->version_minor);
    if (result == CUDA_NO_BINARY)
        return error_set(e, "%s is PTX for sm_%d; this GPU is sm_%d",
                         program->name, program->target, cuda->capability);
    char what[600];
    snprintf(what, sizeof what, "the driver does not take %.200s",
             program->name);
    cuda_check(cuda, result, what, e);
    size_t used = strlen(e->text);
    if (*log)
        snprintf(e->text + used, sizeof e->text - used, "\n%.1000s", log);
    return false;
}

static struct device_module *cuda_load(struct device *device,
                                       const struct ptx_program *program,
                                       struct error *e)
{
    struct cuda_device *cuda = cuda_of(device);
    char log[4096] = "";
    int options[] = {CUDA_JIT_ERROR_LOG, CUDA_JIT_ERROR_LOG_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
    cuda_handle handle = NULL;

    if (!cuda_alive(cuda, e))
        return NULL;
    int result =
        cuda->api.module_load(&handle, program->text, 2, options, values);
    if (result != CUDA_OK) {
        load_failed(cuda, result, program, log, e);
        return NULL;
    }
    struct cuda_module *module = checked_alloc(sizeof *module);
    module->module.program = program;
    module->module.backend = module;
    module->cuda = cuda;
    module->handle = handle;
    module->is_cooperative = waits_for_grid(program);
    return &module->module;
}

static void cuda_unload(struct device *device, struct device_module *given)
{
    struct cuda_device *cuda = cuda_of(device);
    struct cuda_module *module = (struct cuda_module *)given;

    if (module && !cuda->is_hung)
        cuda->api.module_unload(module->handle);
    free(module);
}

static uint32_t cuda_static_shared(const struct device_module *given,
                                   const struct ptx_function *kernel)
{
    const struct cuda_module *module = (const void *)given;
    const struct cuda_api *api = &module->cuda->api;
    cuda_handle function;
    int bytes = 0;

    if (api->module_function(&function, module->handle, kernel->name) ==
        CUDA_OK)
        api->function_attribute(&bytes, CUDA_FUNCTION_STATIC_SHARED, function);
    return (uint32_t)bytes;
}

/* ---- buffers ------------------------------------------------------------------ */

static bool fill_new(struct cuda_device *cuda, struct cuda_buffer *b,
                     struct error *e)
{
    uint64_t bytes = b->buffer.bytes;
    int result = cuda->api.set_bytes(b->base, GUARD_BYTE, GUARD_BYTES);

    if (result == CUDA_OK)
        result = cuda->api.set_bytes(b->buffer.address + bytes, GUARD_BYTE,
                                     GUARD_BYTES);
    if (result == CUDA_OK && bytes)
        result = b->host
                     ? cuda->api.to_device(b->buffer.address, b->host, bytes)
                     : cuda->api.set_bytes(b->buffer.address, 0xff, bytes);
    return cuda_check(cuda, result, "filling a buffer", e);
}

static bool no_memory(struct cuda_device *cuda, const char *name,
                      uint64_t bytes, struct error *e)
{
    size_t left = 0, all = 0;
    cuda->api.memory_info(&left, &all);
    return error_set(e,
                     "out of memory on the GPU: '%s' needs %.1f GB, %.1f of "
                     "%.1f GB are free",
                     name, 1e-9 * (double)bytes, 1e-9 * (double)left,
                     1e-9 * (double)all);
}

static struct device_buffer *cuda_buffer_new(struct device *device,
                                             const char *name, uint64_t bytes,
                                             enum device_role role, void *host,
                                             struct error *e)
{
    struct cuda_device *cuda = cuda_of(device);
    cuda_address base = 0;

    if (!cuda_alive(cuda, e))
        return NULL;
    int result = cuda->api.memory_new(&base, bytes + 2 * (size_t)GUARD_BYTES);
    if (result == CUDA_OUT_OF_MEMORY) {
        no_memory(cuda, name, bytes, e);
        return NULL;
    }
    if (!cuda_check(cuda, result, "a buffer", e))
        return NULL;
    struct cuda_buffer *b = checked_alloc(sizeof *b);
    b->buffer = (struct device_buffer){strdup(name), bytes, base + GUARD_BYTES,
                                       role, b};
    b->base = base;
    b->host = host;
    if (!host && bytes <= SHADOW_MAX) {
        b->shadow = checked_alloc(bytes + 1);
        memset(b->shadow, 0xff, bytes);
    }
    b->next = cuda->buffers;
    cuda->buffers = b;
    if (fill_new(cuda, b, e))
        return &b->buffer;
    device->ops->buffer_free(device, &b->buffer);
    return NULL;
}

static void cuda_buffer_free(struct device *device,
                             struct device_buffer *buffer)
{
    struct cuda_device *cuda = cuda_of(device);
    struct cuda_buffer **at = &cuda->buffers;

    if (!buffer)
        return;
    while (*at && &(*at)->buffer != buffer)
        at = &(*at)->next;
    struct cuda_buffer *b = *at;
    assert(b);
    *at = b->next;
    if (!*cuda->lost)
        cuda->api.memory_free(b->base);
    free((char *)b->buffer.name);
    free(b->shadow);
    free(b);
}

static bool in_range(const struct device_buffer *buffer, uint64_t at,
                     uint64_t bytes, struct error *e)
{
    if (at <= buffer->bytes && bytes <= buffer->bytes - at)
        return true;
    return error_set(e, "copy outside the buffer '%s'", buffer->name);
}

static bool cuda_upload(struct device *device, struct device_buffer *buffer,
                        uint64_t at, const void *from, uint64_t bytes,
                        struct error *e)
{
    struct cuda_device *cuda = cuda_of(device);
    struct cuda_buffer *b = buffer->backend;

    if (!in_range(buffer, at, bytes, e) || !cuda_alive(cuda, e))
        return false;
    if (b->shadow)
        memcpy(b->shadow + at, from, bytes);
    return !bytes ||
           cuda_check(cuda,
                      cuda->api.to_device(buffer->address + at, from, bytes),
                      "copying to the GPU", e);
}

static bool cuda_download(struct device *device,
                          const struct device_buffer *buffer, uint64_t at,
                          void *to, uint64_t bytes, struct error *e)
{
    struct cuda_device *cuda = cuda_of(device);

    if (!in_range(buffer, at, bytes, e))
        return false;
    if (*cuda->lost) {
        memset(to, 0x7f, bytes); /* as a float 3e38: no sum we expect */
        return true;
    }
    return !bytes ||
           cuda_check(cuda, cuda->api.to_host(to, buffer->address + at, bytes),
                      "copying from the GPU", e);
}

static bool cuda_fill(struct device *device, struct device_buffer *buffer,
                      uint8_t byte, struct error *e)
{
    struct cuda_device *cuda = cuda_of(device);
    struct cuda_buffer *b = buffer->backend;

    if (!cuda_alive(cuda, e))
        return false;
    if (b->shadow)
        memset(b->shadow, byte, buffer->bytes);
    return !buffer->bytes ||
           cuda_check(cuda,
                      cuda->api.set_bytes(buffer->address, byte, buffer->bytes),
                      "filling a buffer", e);
}

const struct device_ops cuda_device_ops = {
    .name = "cuda",
    .open = cuda_open,
    .close = cuda_close,
    .describe = cuda_describe,
    .load = cuda_load,
    .unload = cuda_unload,
    .static_shared = cuda_static_shared,
    .buffer_new = cuda_buffer_new,
    .buffer_free = cuda_buffer_free,
    .upload = cuda_upload,
    .download = cuda_download,
    .fill = cuda_fill,
    .launch = cuda_launch,
    .time = cuda_time,
    .copy_gb_s = cuda_copy_gb_s,
};
