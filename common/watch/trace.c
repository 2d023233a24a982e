/* The watcher that records one block.  See trace.h.
 *
 * Accesses are told before memory changes, runs of instructions after them: so
 * the records of a run wait for it, to learn how many instructions belong to
 * each; and a store whose value is not told waits for the block's next
 * event, to read it from memory. */
#include "watch/counters_cost.h"
#include "watch/name.h"
#include "watch/trace_state.h"

#include <stdlib.h>
#include <string.h>

/* ---- records --------------------------------------------------------------------*/

static bool is_access(enum event_kind kind)
{
    return kind == EVENT_LOAD || kind == EVENT_STORE || kind == EVENT_ATOMIC;
}

static uint32_t access_cost(const struct event *ev, uint32_t *least)
{
    *least = 0;
    if (ev->space == SPACE_SHARED)
        return cost_wavefronts(ev, least);
    if (ev->space == SPACE_LOCAL)
        return (ev->size + 3) / 4 * (cost_lanes(ev->active) + 7) / 8;
    return cost_sectors(ev);
}

static void total_access(struct tracing *t, const struct event *ev,
                         uint32_t cost, uint32_t least)
{
    struct trace_totals *sum = &t->trace.totals;
    if (ev->space == SPACE_SHARED) {
        *(ev->is_atomic  ? &sum->wave_atom
          : ev->is_write ? &sum->wave_st
                         : &sum->wave_ld) += cost;
        sum->conflicts += cost > least ? cost - least : 0;
    } else if (ev->space != SPACE_LOCAL && ev->space != SPACE_PARAM) {
        if (ev->is_atomic)
            sum->atomic_lanes += cost_lanes(ev->active);
        else if (ev->is_write)
            sum->request_st++, sum->sector_st += cost;
        else
            sum->request_ld++, sum->sector_ld += cost;
    }
}

static void on_access(struct tracing *t, const struct event *ev)
{
    uint32_t least;
    if (!ev->active || ev->space == SPACE_PARAM)
        return;
    uint32_t cost = access_cost(ev, &least);
    total_access(t, ev, cost, least);
    struct trace_record *r = trace_new_record(t, ev);
    if (!r)
        return;
    struct traced_warp *w = &t->warps[ev->warp];
    if (w->fresh_count < FRESH)
        w->fresh[w->fresh_count++] = w->last;
    r->space = ev->space;
    r->size = ev->size;
    r->cost = cost;
    r->least = least;
    r->in_queue = ev->is_atomic ? cost_same_word(ev) : 0;
    trace_take_payload(t, r);
    r->address = r->payload->address;
    memcpy(r->address, ev->address, WARP_LANES * sizeof *r->address);
    trace_note_value(t, ev, r);
}

/* The instructions of a run go to its records and, those behind the last one,
 * to the warp's next record. */
static void on_run(struct tracing *t, const struct event *ev)
{
    struct traced_warp *w = &t->warps[ev->warp];
    struct trace_totals *sum = &t->trace.totals;
    int64_t first = ev->insn - ev->function->insns;
    int64_t done = first, end = first + ev->count;
    uint32_t lanes = cost_lanes(ev->active);
    sum->instructions += ev->count;
    sum->thread_instructions += (uint64_t)ev->count * lanes;
    for (int k = 0; k < w->fresh_count; k++) {
        struct trace_record *r = &t->trace.records[w->fresh[k]];
        int64_t at = r->insn - ev->function->insns;
        if (r->function != ev->function || at < done || at >= end)
            continue;
        r->instructions += (uint64_t)(at + 1 - done);
        r->thread_instructions += (uint64_t)(at + 1 - done) * lanes;
        done = at + 1;
    }
    w->fresh_count = 0;
    w->instructions += (uint64_t)(end - done);
    w->thread_instructions += (uint64_t)(end - done) * lanes;
    if (!ev->ends_in_branch)
        return;
    struct event branch = *ev;
    branch.kind = EVENT_BRANCH;
    branch.insn = &ev->function->insns[end - 1];
    struct trace_record *r = trace_new_record(t, &branch);
    if (!r)
        return;
    r->taken = ev->taken & ev->active;
    trace_join_rounds(t, w);
}

/* One opening is told warp by warp, one after the other. */
static void on_opened(struct tracing *t, const struct event *ev)
{
    if (!t->was_opening || t->opening_barrier != ev->barrier ||
        ev->warp <= t->opening_warp)
        t->opening++;
    t->opening_barrier = ev->barrier;
    t->opening_warp = ev->warp;
    struct trace_record *r = trace_new_record(t, ev);
    if (r)
        r->opening = t->opening;
}

static void on_shuffle(struct tracing *t, const struct event *ev)
{
    t->trace.totals.shuffles++;
    struct trace_record *r = trace_new_record(t, ev);
    if (!r)
        return;
    r->size = 4;
    trace_take_payload(t, r);
    r->source = r->payload->source;
    memcpy(r->source, ev->source, WARP_LANES);
    if (!ev->operand)
        return;
    r->value = r->payload->value;
    trace_take_lanes(r->value, ev->operand, 4, 4);
}

static void on_other(struct tracing *t, const struct event *ev)
{
    struct trace_totals *sum = &t->trace.totals;
    switch (ev->kind) {
    case EVENT_BARRIER: sum->barriers++; break;
    case EVENT_WARP_SYNC: sum->warp_syncs++; break;
    case EVENT_VOTE: sum->votes++; break;
    default: break;
    }
    struct trace_record *r = trace_new_record(t, ev);
    if (r && ev->text)
        r->text = arena_copy(&t->arena, ev->text, strlen(ev->text));
}

static void on_event(struct watcher *watcher, void *state,
                     const struct event *ev)
{
    struct tracing *t = (struct tracing *)watcher;
    struct traced_block *b = state;
    if (ev->kind == EVENT_ATOMIC && ev->space != SPACE_SHARED)
        b->lanes += cost_lanes(ev->active);
    if (!b->is_traced || ev->warp >= MAX_WARPS)
        return;
    trace_read_waiting(t, ev);
    switch (ev->kind) {
    case EVENT_RUN: on_run(t, ev); return; /* tells of what was before */
    case EVENT_BARRIER_DONE: on_opened(t, ev); break;
    case EVENT_SHUFFLE: on_shuffle(t, ev); break;
    default:
        if (is_access(ev->kind))
            on_access(t, ev);
        else
            on_other(t, ev);
    }
    t->was_opening = ev->kind == EVENT_BARRIER_DONE;
}

/* ---- blocks and the launch --------------------------------------------------------*/

static void *begin_block(struct watcher *watcher, uint64_t index)
{
    struct tracing *t = (struct tracing *)watcher;
    if (index == t->trace.block) {
        t->own = (struct traced_block){.is_traced = true};
        t->trace.was_run = true;
        return &t->own;
    }
    struct traced_block *b = t->free_blocks;
    if (b)
        t->free_blocks = b->next_free;
    else
        b = arena_alloc(&t->arena, sizeof *b);
    *b = (struct traced_block){0};
    return b;
}

static void end_block(struct watcher *watcher, void *state, uint64_t index)
{
    struct tracing *t = (struct tracing *)watcher;
    struct traced_block *b = state;
    struct trace *trace = &t->trace;
    if (b->lanes && trace->queue_count < TRACE_QUEUE)
        trace->queue[trace->queue_count++] =
            (struct trace_queue){index, b->lanes};
    if (b->is_traced)
        return;
    b->next_free = t->free_blocks;
    t->free_blocks = b;
}

static void clear(struct tracing *t)
{
    free(t->trace.records);
    arena_free(&t->arena);
    t->trace = (struct trace){.block = t->trace.block};
    t->capacity = 0;
    t->free_blocks = NULL;
    t->free_payloads = NULL;
    t->waiting = t->opening = -1;
    t->was_opening = false;
}

static void note_variables(struct tracing *t)
{
    const struct launch_info *info = t->info;
    struct trace *trace = &t->trace;
    trace->variables = arena_array(&t->arena, (size_t)info->shared_count + 1,
                                   sizeof *trace->variables);
    for (int k = 0; k < info->shared_count; k++) {
        const struct shared_variable *v = &info->shared[k];
        char name[160]; /* "s[0]" */
        name_place(info, SPACE_SHARED, v->at, name, sizeof name);
        trace->variables[k] = (struct trace_variable){
            arena_copy(&t->arena, name, strcspn(name, "[")), v->at,
            v->variable->is_extern ? info->shared_bytes - v->at
                                   : (uint32_t)v->variable->bytes};
    }
    trace->variable_count = info->shared_count;
}

static void note_buffers(struct tracing *t)
{
    const struct memory *m = t->info->memory;
    struct trace *trace = &t->trace;
    trace->buffers =
        arena_array(&t->arena, (size_t)m->count + 1, sizeof *trace->buffers);
    for (int k = 0; k < m->count; k++) {
        const struct buffer *b = m->buffers[k];
        if (b->freed)
            continue;
        trace->buffers[trace->buffer_count++] = (struct trace_buffer){
            arena_copy(&t->arena, b->name, strlen(b->name)), b->address,
            b->bytes, b->element ? b->element : 4};
    }
}

static void begin(struct watcher *watcher, const struct launch_info *info)
{
    struct tracing *t = (struct tracing *)watcher;
    struct trace *trace = &t->trace;
    clear(t);
    t->info = info;
    trace->blocks = info->blocks;
    trace->threads = info->threads_per_block;
    trace->warps = info->warps_per_block;
    trace->shared_bytes = info->shared_bytes;
    trace->queue = arena_array(&t->arena, TRACE_QUEUE, sizeof *trace->queue);
    note_variables(t);
    note_buffers(t);
    for (int k = 0; k < MAX_WARPS; k++)
        t->warps[k] = (struct traced_warp){.last = -1, .sized = -1};
}

static void end(struct watcher *watcher)
{
    struct tracing *t = (struct tracing *)watcher;
    for (int k = 0; k < MAX_WARPS; k++) {
        struct traced_warp *w = &t->warps[k];
        if (w->last < 0)
            continue;
        t->trace.records[w->last].instructions += w->instructions;
        t->trace.records[w->last].thread_instructions += w->thread_instructions;
    }
    trace_make_steps(&t->trace, &t->arena);
}

struct watcher *trace_watcher(uint64_t block)
{
    struct tracing *t = checked_alloc(sizeof *t);
    t->trace.block = block;
    t->waiting = -1;
    t->watcher = (struct watcher){
        .name = "trace",
        .wants = WANTS(EVENT_RUN) | WANTS(EVENT_LOAD) | WANTS(EVENT_STORE) |
                 WANTS(EVENT_ATOMIC) | WANTS(EVENT_SHUFFLE) |
                 WANTS(EVENT_VOTE) | WANTS(EVENT_WARP_SYNC) |
                 WANTS(EVENT_BARRIER) | WANTS(EVENT_BARRIER_DONE) |
                 WANTS(EVENT_FENCE) | WANTS(EVENT_EXIT) | WANTS(EVENT_FAULT) |
                 WANTS(EVENT_BAD_SYNC) | WANTS(EVENT_TRAP) | WANTS(EVENT_STUCK),
        .state = t,
        .begin = begin,
        .block_begin = begin_block,
        .event = on_event,
        .block_end = end_block,
        .end = end,
    };
    return &t->watcher;
}

const struct trace *trace_watcher_result(const struct watcher *watcher)
{
    return &((const struct tracing *)watcher)->trace;
}

void trace_watcher_free(struct watcher *watcher)
{
    struct tracing *t = (struct tracing *)watcher;
    if (!t)
        return;
    clear(t);
    free(t);
}
