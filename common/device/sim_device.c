/* The simulator as a device: passes calls on to sim/ and turns the way a
 * launch ended into findings.
 *
 * Buffers of the host are borrowed, not copied, so that a large input costs
 * its bytes once.  The limits are those of an H200; nothing below depends on
 * them but the default grid of v6. */
#include "base/arena.h"
#include "device/device.h"
#include "device/sim_again.h"
#include "sim/alu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sim_device {
    struct device device; /* first: the two are one address */
    struct memory memory;
};

static struct device *sim_open(struct error *e)
{
    (void)e;
    struct sim_device *sim = checked_alloc(sizeof *sim);
    sim->device.ops = &sim_device_ops;
    sim->device.limits = (struct device_limits){
        .max_threads = 1024,
        .max_grid = {2147483647, 65535, 65535},
        .shared_bytes = 48 * 1024,
        .shared_most = 227 * 1024,
        .sm_count = 132,
        .sm_threads = 2048,
        .sm_blocks = 32,
        .sm_shared_bytes = 227 * 1024,
        .l2_bytes = 60 << 20,
        .memory_gb_s = 4814,
    };
    memory_init(&sim->memory);
    return &sim->device;
}

static void sim_close(struct device *device)
{
    struct sim_device *sim = (struct sim_device *)device;
    memory_clear(&sim->memory);
    free(sim);
}

static void sim_describe(const struct device *device, char *line, size_t size)
{
    (void)device;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    snprintf(line, size, "simulator on this CPU (%s, %ld core%s)", alu_level(),
             cores, cores == 1 ? "" : "s");
}

static struct device_module *sim_load(struct device *device,
                                      const struct ptx_program *program,
                                      struct error *e)
{
    struct sim_device *sim = (struct sim_device *)device;
    struct module *loaded = module_load(program, &sim->memory, e);
    if (!loaded)
        return NULL;
    struct device_module *module = checked_alloc(sizeof *module);
    module->program = program;
    module->backend = loaded;
    return module;
}

static void sim_unload(struct device *device, struct device_module *module)
{
    (void)device;
    if (module)
        module_free(module->backend);
    free(module);
}

static bool sim_can_run(struct device_module *module,
                        const struct ptx_function *kernel, struct error *e)
{
    return module_can_run(module->backend, kernel, e);
}

static uint32_t sim_static_shared(const struct device_module *module,
                                  const struct ptx_function *kernel)
{
    return module_static_shared(module->backend, kernel);
}

static struct device_buffer *sim_buffer_new(struct device *device,
                                            const char *name, uint64_t bytes,
                                            enum device_role role, void *host,
                                            struct error *e)
{
    struct sim_device *sim = (struct sim_device *)device;
    enum buffer_role sim_role =
        role == DEVICE_INPUT ? BUFFER_INPUT : BUFFER_DATA;
    struct buffer *made =
        host ? memory_borrow(&sim->memory, name, host, bytes, sim_role)
             : memory_add(&sim->memory, name, bytes, sim_role, e);
    if (!made)
        return NULL;
    made->element = sizeof(float);
    struct device_buffer *buffer = checked_alloc(sizeof *buffer);
    *buffer =
        (struct device_buffer){made->name, bytes, made->address, role, made};
    return buffer;
}

static void sim_buffer_free(struct device *device, struct device_buffer *buffer)
{
    struct sim_device *sim = (struct sim_device *)device;
    if (buffer)
        memory_free(&sim->memory, buffer->backend);
    free(buffer);
}

static bool in_range(const struct device_buffer *buffer, uint64_t at,
                     uint64_t bytes, struct error *e)
{
    if (at <= buffer->bytes && bytes <= buffer->bytes - at)
        return true;
    return error_set(e, "copy outside the buffer '%s'", buffer->name);
}

static bool sim_upload(struct device *device, struct device_buffer *buffer,
                       uint64_t at, const void *from, uint64_t bytes,
                       struct error *e)
{
    (void)device;
    if (!in_range(buffer, at, bytes, e))
        return false;
    if (bytes)
        memcpy(((struct buffer *)buffer->backend)->data + at, from, bytes);
    return true;
}

static bool sim_download(struct device *device,
                         const struct device_buffer *buffer, uint64_t at,
                         void *to, uint64_t bytes, struct error *e)
{
    (void)device;
    if (!in_range(buffer, at, bytes, e))
        return false;
    if (bytes)
        memcpy(to, ((struct buffer *)buffer->backend)->data + at, bytes);
    return true;
}

static bool sim_fill(struct device *device, struct device_buffer *buffer,
                     uint8_t byte, struct error *e)
{
    (void)device, (void)e;
    if (buffer->bytes)
        memset(((struct buffer *)buffer->backend)->data, byte, buffer->bytes);
    return true;
}

/* ---- how a launch ended, as a finding ----------------------------------- */

/* "global" for the state space of a memory instruction, or NULL. */
static const char *space_name(const struct ptx_insn *insn)
{
    switch (insn ? insn->space : SPACE_COUNT) {
    case SPACE_GLOBAL:
    case SPACE_GENERIC: return "global";
    case SPACE_SHARED: return "shared";
    case SPACE_LOCAL: return "local";
    case SPACE_CONST: return "constant";
    default: return NULL;
    }
}

/* The simulator says "kernel.cu:14: what happened": the finding keeps the
 * place in fields of its own. */
static const char *without_place(const char *message, const char *where)
{
    size_t length = strlen(where);
    if (strncmp(message, where, length) != 0 ||
        strncmp(message + length, ": ", 2) != 0)
        return message;
    message += length + 2;
    return strncmp(message, "error: ", 7) == 0 ? message + 7 : message;
}

/* By the simulator's words for its three kinds of fault (sim/access.c). */
static const char *fault_kind(const char *message)
{
    if (strstr(message, "no multiple of"))
        return "misaligned";
    if (strstr(message, "must not change"))
        return "input-written";
    return "out-of-bounds";
}

/* Has a check told already what stopped the launch? */
static bool is_told(enum launch_stop stop, const struct finding_list *list)
{
    switch (stop) {
    case STOP_TRAP: return finding_has(list, "trap");
    case STOP_FAULT:
        return finding_has(list, "out-of-bounds") ||
               finding_has(list, "misaligned") ||
               finding_has(list, "input-written");
    default:
        return finding_has(list, "no-progress") ||
               finding_has(list, "barrier-divergence") ||
               finding_has(list, "bad-sync-mask");
    }
}

static void add_finding(const struct device_launch *launch,
                        const struct launch_result *ran,
                        struct finding_list *list)
{
    const struct ptx_program *program = launch->module->program;
    char where[512] = "";
    struct finding f = {.severity = SEVERITY_ERROR, .count = 1};

    if (ran->insn)
        ptx_where(launch->kernel, ran->insn, where, sizeof where);
    f.message = (char *)without_place(ran->message, where);
    if (ran->insn && ran->insn->line > 0) {
        f.line = ran->insn->line;
        if (ran->insn->file >= 0 && ran->insn->file < program->file_count)
            f.file = (char *)program->files[ran->insn->file];
    }
    if (ran->stop == STOP_TRAP) {
        f.kind = "trap";
    } else if (ran->stop == STOP_FAULT) {
        f.kind = fault_kind(f.message);
        f.space = space_name(ran->insn);
    } else {
        f.kind = "no-progress";
    }
    finding_add(list, &f);
}

/* The launch as the simulator takes it, without watchers. */
static struct launch sim_shape(struct device *device,
                               const struct device_launch *launch)
{
    struct launch sim = {
        .module = launch->module->backend,
        .kernel = launch->kernel,
        .dynamic_shared = launch->dynamic_shared,
        .params = launch->params,
        .params_bytes = launch->params_bytes,
        .order = launch->order,
        .seed = launch->seed,
        .budget = launch->budget,
        .threads = launch->threads,
        .only = launch->only,
        .only_count = launch->only_count,
        .progress = launch->progress,
        .progress_data = launch->progress_data,
        .cancel = launch->cancel,
    };
    memcpy(sim.grid, launch->grid, sizeof sim.grid);
    memcpy(sim.block, launch->block, sizeof sim.block);
    uint64_t resident = device_resident_blocks(
        device, sim.block[0] * sim.block[1] * sim.block[2],
        sim.dynamic_shared + sim_static_shared(launch->module, sim.kernel));
    sim.resident = (uint32_t)resident;
    return sim;
}

/* Runs with the watchers of the checks, those that count and time, and those
 * given. */
static bool run_watched(struct launch *sim, const struct device_launch *launch,
                        struct launch_result *ran, struct device_result *result,
                        struct error *e)
{
    struct finding_list *list = &result->findings;
    struct watcher *made[MAX_CHECKS];
    struct watcher *counting = launch->counters ? counters_watcher() : NULL;
    struct watcher *timing = launch->gpu ? cost_watcher(launch->gpu) : NULL;
    int count = checks_make(launch->checks, list, made);
    int all = count + launch->watcher_count;
    struct snapshot before = {0};

    sim->watchers = checked_alloc(((size_t)all + 2) * sizeof(void *));
    memcpy(sim->watchers, made, (size_t)count * sizeof(void *));
    if (launch->watcher_count)
        memcpy(sim->watchers + count, launch->watchers,
               (size_t)launch->watcher_count * sizeof(void *));
    if (counting)
        sim->watchers[all++] = counting;
    if (timing)
        sim->watchers[all++] = timing;
    sim->watcher_count = all;
    if (launch->checks)
        snapshot_take(&before, launch_memory(sim));
    bool ok = launch_run(sim, ran, e);
    checks_free(made, count);
    free(sim->watchers);
    if (counting)
        result->counters = counters_take(counting);
    counters_watcher_free(counting);
    if (timing)
        result->time = *cost_watcher_result(timing);
    cost_watcher_free(timing);
    if (ok)
        again_settle(sim, ran, &before, list);
    snapshot_free(&before);
    return ok;
}

/* The input as the kernel may see it: what lies in front of the pointer that it
 * is given belongs to nobody.  Gives the buffer and the bytes that are hidden
 * until show_front(), or NULL. */
static struct buffer *hide_front(struct device *device,
                                 const struct device_launch *launch,
                                 uint64_t *bytes)
{
    struct sim_device *sim = (struct sim_device *)device;
    uint64_t in;
    if (launch->params_bytes < sizeof in || !launch->kernel->param_count ||
        launch->kernel->params[0]->bytes != sizeof in)
        return NULL;
    memcpy(&in, launch->params, sizeof in);
    struct buffer *buffer = memory_find(&sim->memory, in);
    if (!buffer || buffer->role != BUFFER_INPUT)
        return NULL;
    *bytes = in - buffer->address;
    memory_move_start(buffer, (int64_t)*bytes);
    return buffer;
}

static void show_front(struct buffer *buffer, uint64_t bytes)
{
    if (buffer)
        memory_move_start(buffer, -(int64_t)bytes);
}

static bool sim_launch(struct device *device,
                       const struct device_launch *launch,
                       struct device_result *result, struct error *e)
{
    struct launch_result ran = {0};
    struct launch sim = sim_shape(device, launch);

    uint64_t hidden = 0;

    *result = (struct device_result){0};
    struct buffer *input = hide_front(device, launch, &hidden);
    bool ok = run_watched(&sim, launch, &ran, result, e);
    show_front(input, hidden);
    if (!ok) {
        finding_free(&result->findings);
        return false;
    }
    result->warp_instructions = ran.warp_instructions;
    result->thread_instructions = ran.thread_instructions;
    result->threads = ran.threads;
    result->wall_s = ran.wall_s;
    result->output = ran.output;
    ran.output = NULL;
    if (ran.stop == STOP_CANCELLED) {
        result->stop = DEVICE_CANCELLED;
    } else if (ran.stop != STOP_DONE) {
        result->stop = DEVICE_FAILED;
        if (!is_told(ran.stop, &result->findings))
            add_finding(launch, &ran, &result->findings);
    }
    finding_sort(&result->findings);
    launch_result_free(&ran);
    return true;
}

const struct device_ops sim_device_ops = {
    .name = "sim",
    .open = sim_open,
    .close = sim_close,
    .describe = sim_describe,
    .load = sim_load,
    .unload = sim_unload,
    .can_run = sim_can_run,
    .static_shared = sim_static_shared,
    .buffer_new = sim_buffer_new,
    .buffer_free = sim_buffer_free,
    .upload = sim_upload,
    .download = sim_download,
    .fill = sim_fill,
    .launch = sim_launch,
};
