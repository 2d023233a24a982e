/* The grid: batches of blocks, turns, and the end of a launch (launch.h says
 * what is promised; batch.c has the host threads). */
#include "sim/batch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    DEFAULT_RESIDENT = 132 * 16,
    MIN_APART = 1 << 17,  /* warp instructions a block may do before its turn */
    MAX_OUTPUT = 1 << 20, /* bytes that are printed, as on a GPU */
    IDLE_ROUNDS = 4,      /* of all resident blocks without any change */
};

/* ---- what CUDA refuses -----------------------------------------------------------*/

static bool check_shape(const struct launch *l, struct error *e)
{
    uint64_t threads = 1;
    for (int k = 0; k < 3; k++) {
        if (l->block[k] < 1 || l->grid[k] < 1)
            return error_set(e, "a launch needs at least one block and one "
                                "thread");
        threads *= l->block[k];
        if (threads > 1024)
            return error_set(e, "a block has at most 1024 threads");
    }
    if (l->block[2] > 64)
        return error_set(e, "a block has at most 64 threads in z");
    if (l->grid[0] > 0x7fffffffu)
        return error_set(e, "a grid has at most 2147483647 blocks in x");
    if (l->grid[1] > 65535 || l->grid[2] > 65535)
        return error_set(e, "a grid has at most 65535 blocks in y and in z");
    return true;
}

static bool check_kernel(const struct machine *m, struct error *e)
{
    const struct launch *l = m->launch;
    const struct ptx_function *k = l->kernel;
    uint64_t shared = (uint64_t)m->image->static_shared + l->dynamic_shared;
    uint64_t most = 1, threads = m->info.threads_per_block;
    if (shared > MAX_SHARED)
        return error_set(e,
                         "%s needs %llu bytes of shared memory a block, "
                         "the GPU has %d",
                         k->name, (unsigned long long)shared, MAX_SHARED);
    for (int i = 0; i < 3; i++)
        most *= k->max_threads[i] ? (uint64_t)k->max_threads[i] : 1;
    for (int i = 0; k->required_threads && i < 3; i++)
        if (l->block[i] != (uint32_t)k->max_threads[i])
            return error_set(e,
                             "%s was compiled for blocks of %d x %d x %d "
                             "threads only",
                             k->name, k->max_threads[0], k->max_threads[1],
                             k->max_threads[2]);
    if (!k->max_threads[0] || threads <= most)
        return true;
    return error_set(e,
                     "%s was compiled for at most %llu threads a block "
                     "(__launch_bounds__), not %llu",
                     k->name, (unsigned long long)most,
                     (unsigned long long)threads);
}

/* ---- set-up ----------------------------------------------------------------------*/

static bool has_dynamic_array(const struct image *image)
{
    for (int i = 0; i < image->shared_count; i++)
        if (image->shared[i].variable->is_extern)
            return true;
    return false;
}

static bool machine_setup(struct machine *m, const struct launch *l,
                          struct error *e)
{
    if (!check_shape(l, e))
        return false;
    m->launch = l;
    m->image = module_image(l->module, l->kernel, e);
    if (!m->image)
        return false;
    m->memory = l->module->memory;
    m->blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    struct launch_info *info = &m->info;
    info->launch = l;
    info->memory = m->memory;
    info->blocks = m->blocks;
    if (l->only)
        m->blocks = l->only_count;
    info->threads_per_block = l->block[0] * l->block[1] * l->block[2];
    info->warps_per_block =
        (info->threads_per_block + WARP_LANES - 1) / WARP_LANES;
    info->static_shared = m->image->static_shared;
    info->shared_bytes = info->static_shared;
    if (has_dynamic_array(m->image)) /* else nothing can be meant for it */
        info->shared_bytes += l->dynamic_shared;
    info->shared = m->image->shared;
    info->shared_count = m->image->shared_count;
    info->functions = m->image->functions;
    info->function_count = m->image->code_count;
    uint32_t rest = info->threads_per_block % WARP_LANES;
    m->last_lanes = rest ? (1u << rest) - 1 : ALL_LANES;
    if (!check_kernel(m, e))
        return false;
    m->params = l->module->params->data;
    memset(m->params, 0xff, l->module->params->bytes);
    if (l->params_bytes > l->module->params->bytes)
        return error_set(e, "too many bytes of kernel arguments");
    if (l->params_bytes)
        memcpy(m->params, l->params, l->params_bytes);
    return true;
}

/* grid.sync() of cooperative groups finds its workspace through environment
 * registers 1 (high half) and 2; without one it traps, as it does on a GPU
 * when the launch is not cooperative or the grid does not fit. */
uint32_t machine_envreg(const struct machine *m, const struct ptx_insn *insn)
{
    uint64_t number = insn->operand[1].bits;
    if (!m->all_resident || number < 1 || number > 2)
        return 0;
    uint64_t address = m->launch->module->workspace->address;
    return (uint32_t)(number == 1 ? address >> 32 : address);
}

/* ---- the end of a block -------------------------------------------------------------*/

static void take_output(struct grid_run *g, struct block *b)
{
    size_t length = b->output_length, room = MAX_OUTPUT - g->output_length;
    if (length > room)
        length = room;
    if (!length)
        return;
    if (g->output_length + length >= g->output_capacity) {
        g->output_capacity = 2 * (g->output_length + length) + 1;
        g->output = checked_realloc(g->output, g->output_capacity);
    }
    memcpy(g->output + g->output_length, b->output, length);
    g->output_length += length;
    g->output[g->output_length] = '\0';
    b->output_length = 0;
}

/* Counts, output and findings of a block that has ended, in block order. */
static void block_finish(struct grid_run *g, struct block *b)
{
    const struct launch *l = g->machine.launch;
    g->instructions += b->instructions;
    g->thread_instructions += b->thread_instructions;
    take_output(g, b);
    if (b->stop) {
        if (!g->stop.kind ||
            (g->stop.kind == STOP_FAULT && b->stop->kind != STOP_FAULT))
            g->stop = *b->stop;
        free(b->stop);
        b->stop = NULL;
    }
    for (int k = 0; k < l->watcher_count; k++)
        if (l->watchers[k]->block_end && b->watch[k] != BLOCK_UNWATCHED)
            l->watchers[k]->block_end(l->watchers[k], b->watch[k], b->index);
    g->done++;
    grid_put(g, b);
}

/* ---- nobody can go on ---------------------------------------------------------------*/

/* Where a split stands: the next instruction of the PTX, or the last one at
 * the end of a function; the call if the function has none. */
struct standing {
    const struct ptx_function *function;
    const struct ptx_insn *insn;
};

static struct standing standing_of(const struct split *s)
{
    const struct code *code = s->frame->code;
    for (int pc = s->pc; pc < code->count; pc++)
        if (code->insns[pc].insn)
            return (struct standing){code->function, code->insns[pc].insn};
    const struct frame *f = s->frame;
    while (f && !f->call)
        f = f->caller;
    return f ? (struct standing){f->caller->code->function, f->call->insn}
             : (struct standing){code->function, NULL};
}

static void tell_stuck(struct block *b, struct warp *w,
                       const struct split *split, enum stuck_kind kind)
{
    struct standing at = standing_of(split);
    if (!at.insn || !event_wanted(b, EVENT_STUCK))
        return;
    struct event ev = {.kind = EVENT_STUCK,
                       .function = at.function,
                       .insn = at.insn,
                       .warp = w->index,
                       .active = split->mask,
                       .named = split->named,
                       .barrier = split->barrier,
                       .stuck = kind};
    event_send(b, &ev);
}

static enum stuck_kind stuck_kind(const struct split *s, enum launch_stop stop)
{
    if (s->state == SPLIT_AT_BARRIER || s->state == SPLIT_MEETING)
        return STUCK_BARRIER;
    if (s->state == SPLIT_AT_SYNC)
        return STUCK_WARP;
    return stop == STOP_BUDGET ? STUCK_BUDGET : STUCK_SPIN;
}

/* Says where each party of a block waits; the first one also becomes the
 * launch's message. */
static void block_stuck(struct block *b, enum launch_stop stop)
{
    static const char *const words[] = {
        [STUCK_NONE] = "",
        [STUCK_BARRIER] = "waits at a barrier that other threads never reach",
        [STUCK_WARP] = "waits for lanes of its warp that never come",
        [STUCK_SPIN] = "loops for ever: nothing it reads can change any more",
        [STUCK_BUDGET] = "was still running when the budget was spent",
    };
    for (int pass = 0; pass < 2; pass++) /* those who run, then who wait */
        for (uint32_t i = 0; i < b->warp_count; i++) {
            struct warp *w = &b->warps[i];
            for (int s = 0; w->live && s < w->split_count; s++) {
                const struct split *split = &w->splits[s];
                enum stuck_kind kind = stuck_kind(split, stop);
                if ((kind == STUCK_BARRIER || kind == STUCK_WARP) != pass)
                    continue;
                struct standing at = standing_of(split);
                tell_stuck(b, w, split, kind);
                stop_note(
                    b, stop, at.function, at.insn, "thread %u of block %llu %s",
                    w->index * WARP_LANES + (uint32_t)lane_first(split->mask),
                    (unsigned long long)b->index, words[kind]);
            }
        }
}

static void give_up(struct grid_run *g, enum launch_stop stop)
{
    for (struct block *b = g->active; b; b = b->next)
        if (b->state != BLOCK_DONE && b->state != BLOCK_STOPPED)
            block_stuck(b, stop);
    g->give_up = true;
}

/* ---- turns ------------------------------------------------------------------------*/

/* Lets one block go on alone; true if it has ended. */
static bool take_turn(struct grid_run *g, struct block *b)
{
    const struct launch *l = g->machine.launch;
    if (b->mode == MODE_APART) {
        b->mode = MODE_TURN;
        kept_apply(b);
        for (int k = 0; k < l->watcher_count; k++)
            if (l->watchers[k]->block_turn && b->watch[k] != BLOCK_UNWATCHED)
                l->watchers[k]->block_turn(l->watchers[k], b->watch[k]);
    }
    bool waits = b->state == BLOCK_STUCK &&
                 b->stuck_changes == b->machine->changes &&
                 b->had_turn; /* nothing it could see has changed */
    b->had_turn = true;
    if (b->state != BLOCK_DONE && b->state != BLOCK_STOPPED && !waits)
        block_run(b);
    if (b->state == BLOCK_STOPPED)
        g->give_up = true;
    return b->state == BLOCK_DONE || b->state == BLOCK_STOPPED;
}

static uint64_t active_instructions(const struct grid_run *g)
{
    uint64_t n = g->instructions;
    for (const struct block *b = g->active; b; b = b->next)
        n += b->instructions;
    return n;
}

/* One round over the active blocks, in order.  Ended ones leave. */
static bool round_of_turns(struct grid_run *g, bool *all_stuck)
{
    struct block **at = &g->active;
    bool ended = false;
    *all_stuck = true;
    while (*at && !g->give_up) {
        struct block *b = *at;
        if (take_turn(g, b)) {
            *at = b->next;
            ended = true;
            block_finish(g, b);
            continue;
        }
        *all_stuck &= b->state == BLOCK_STUCK;
        at = &b->next;
        if (g->machine.launch->cancel && *g->machine.launch->cancel)
            g->give_up = true;
    }
    return ended;
}

/* The active blocks take turns until all have ended, or until more blocks
 * must be started because these ones wait for them. */
static void take_turns(struct grid_run *g)
{
    const struct launch *l = g->machine.launch;
    int idle = 0;
    while (g->active && !g->give_up) {
        uint64_t changes = g->machine.changes;
        bool all_stuck;
        bool ended = round_of_turns(g, &all_stuck);
        if (g->give_up || !g->active)
            break;
        if (l->budget && active_instructions(g) > l->budget) {
            give_up(g, STOP_BUDGET);
            break;
        }
        idle = ended || changes != g->machine.changes ? 0 : idle + 1;
        bool more = g->started < g->machine.blocks &&
                    g->started - g->done < g->resident;
        if (more && (idle >= IDLE_ROUNDS || (all_stuck && idle)))
            return;
        if (all_stuck && idle && !more) {
            give_up(g, STOP_DEADLOCK);
            break;
        }
    }
}

/* ---- the whole launch ----------------------------------------------------------------*/

static void report_progress(struct grid_run *g)
{
    const struct launch *l = g->machine.launch;
    if (l->progress)
        l->progress(l->progress_data,
                    (double)g->done / (double)g->machine.blocks);
    if (l->cancel && *l->cancel)
        g->give_up = true;
}

static void run_grid(struct grid_run *g)
{
    const struct launch *l = g->machine.launch;
    uint64_t blocks =
        g->machine.blocks < g->batch_size ? g->machine.blocks : g->batch_size;
    uint64_t share = l->budget / (2 * blocks);
    g->apart_limit = share > MIN_APART ? share : MIN_APART;
    if (l->budget && l->budget < g->apart_limit)
        g->apart_limit = l->budget;
    while ((g->started < g->machine.blocks || g->active) && !g->give_up) {
        if (g->started < g->machine.blocks)
            batch_run(g);
        take_turns(g);
        if (l->budget && !g->give_up && g->instructions > l->budget &&
            (g->active || g->started < g->machine.blocks))
            g->over_budget = g->give_up = true;
        report_progress(g);
    }
    while (g->active) { /* given up: what they printed and found still counts */
        struct block *b = g->active;
        g->active = b->next;
        block_finish(g, b);
    }
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fill_result(struct grid_run *g, struct launch_result *r)
{
    const struct launch *l = g->machine.launch;
    r->stop = g->stop.kind;
    r->insn = g->stop.insn;
    snprintf(r->message, sizeof r->message, "%s", g->stop.text);
    if (g->over_budget && g->stop.kind <= STOP_DONE) {
        r->stop = STOP_BUDGET;
        snprintf(r->message, sizeof r->message,
                 "%s: the launch was not over after %llu warp instructions",
                 l->kernel->name, (unsigned long long)l->budget);
    }
    if (l->cancel && *l->cancel) {
        r->stop = STOP_CANCELLED;
        snprintf(r->message, sizeof r->message, "stopped by the user");
    }
    r->warp_instructions = g->instructions;
    r->thread_instructions = g->thread_instructions;
    r->threads = g->threads;
    r->output = g->output;
}

static void find_listeners(struct machine *m)
{
    const struct launch *l = m->launch;
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        struct listeners *to = &m->listeners[kind];
        to->items =
            checked_alloc(((size_t)l->watcher_count + 1) * sizeof *to->items);
        for (int k = 0; k < l->watcher_count; k++) {
            struct watcher *w = l->watchers[k];
            if (w->event && (w->wants & WANTS(kind)))
                to->items[to->count++] = (struct listener){w, w->event, k};
        }
    }
}

bool launch_run(const struct launch *l, struct launch_result *r,
                struct error *e)
{
    struct grid_run *g = checked_alloc(sizeof *g);
    memset(r, 0, sizeof *r);
    double start = seconds();
    if (!machine_setup(&g->machine, l, e)) {
        free(g);
        return false;
    }
    g->resident = l->resident ? l->resident : DEFAULT_RESIDENT;
    g->machine.info.resident = g->resident;
    g->machine.all_resident = g->machine.info.blocks <= g->resident;
    for (int k = 0; k < l->watcher_count; k++)
        if (l->watchers[k]->begin)
            l->watchers[k]->begin(l->watchers[k], &g->machine.info);
    find_listeners(&g->machine);
    batch_setup(g);
    run_grid(g);
    batch_teardown(g);
    for (int k = 0; k < l->watcher_count; k++)
        if (l->watchers[k]->end)
            l->watchers[k]->end(l->watchers[k]);
    fill_result(g, r);
    for (int kind = 0; kind < EVENT_KINDS; kind++)
        free(g->machine.listeners[kind].items);
    r->wall_s = seconds() - start;
    free(g);
    return true;
}

const struct memory *launch_memory(const struct launch *l)
{
    return l->module->memory;
}

void launch_result_free(struct launch_result *r)
{
    free(r->output);
    r->output = NULL;
}
