/* One SM issues the steps of its blocks.
 *
 *   each scheduler: the warp that has been ready longest issues next, at
 *   max(its operands are there, the slot is free); the instruction's results
 *   are ready a latency later, or when the queue it stands in has served it
 *
 * Queues: shared memory (a wavefront a cycle), barriers, the way into the SM,
 * and what all SMs share: DRAM and the atomics on one word.  All SMs do the
 * same at the same time, so this one waits `sms` times its own share. */
#include "watch/cost_sm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- heaps ---------------------------------------------------------------------*/

static bool is_before(const struct sm_warp *a, const struct sm_warp *b)
{
    return a->ready < b->ready || (a->ready == b->ready && a->age < b->age);
}

static void heap_push(struct sm *sm, struct sm_warp *w)
{
    struct sm_heap *h = &sm->heaps[w->scheduler];
    uint32_t i = h->count++;
    while (i && is_before(w, h->warps[(i - 1) / 2])) {
        h->warps[i] = h->warps[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->warps[i] = w;
}

static struct sm_warp *heap_pop(struct sm_heap *h)
{
    struct sm_warp *top = h->warps[0], *last = h->warps[--h->count];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= h->count)
            break;
        if (child + 1 < h->count &&
            is_before(h->warps[child + 1], h->warps[child]))
            child++;
        if (!is_before(h->warps[child], last))
            break;
        h->warps[i] = h->warps[child];
        i = child;
    }
    h->warps[i] = last;
    return top;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* ---- what a warp waits for -------------------------------------------------------*/

static void set_results(struct sm_warp *w, const struct cost_op *op,
                        double ready, enum cost_wait why)
{
    if (op->how.pipe == PIPE_SHARED || op->how.pipe == PIPE_GLOBAL) {
        w->loaded = ready;
        w->loaded_why = why;
    }
    for (int k = 0; k < op->result_count; k++) {
        w->registers[op->result[k]] = ready;
        w->reasons[op->result[k]] = (uint8_t)why;
    }
}

static void wait_for_sources(struct sm_warp *w, const struct cost_op *op)
{
    for (int k = 0; k < op->source_count; k++)
        wait_for(w, w->registers[op->source[k]],
                 (enum cost_wait)w->reasons[op->source[k]]);
}

/* Steps that issue nothing pass on when their operands are ready. */
static void pass_free_steps(struct sm *sm, struct sm_warp *w)
{
    const struct cost *c = sm->cost;
    for (; w->at < w->trace->count; w->at++) {
        const struct cost_step *s = &w->trace->steps[w->at];
        const struct cost_op *op = &c->ops[s->op];
        double ready = 0;
        enum cost_wait why = WAIT_ARITHMETIC;
        if (s->issue)
            return;
        if (op->how.is_joined) {
            ready = w->loaded;
            why = (enum cost_wait)w->loaded_why;
        }
        if (op->how.is_constant) {
            ready = constants_there(sm, w);
            why = WAIT_LAUNCH;
        }
        for (int k = 0; k < op->source_count; k++)
            if (w->registers[op->source[k]] > ready) {
                ready = w->registers[op->source[k]];
                why = (enum cost_wait)w->reasons[op->source[k]];
            }
        set_results(w, op, ready, why);
    }
}

static void warp_end(struct sm *, struct sm_warp *, double now);

/* The warp has issued at `now`: when can it issue again? */
static void warp_next(struct sm *sm, struct sm_warp *w, double now)
{
    w->since = now;
    if (w->ready < now) {
        w->ready = now;
        w->wait = WAIT_ISSUE;
    }
    pass_free_steps(sm, w);
    if (w->at == w->trace->count) {
        warp_end(sm, w, w->ready);
        return;
    }
    const struct cost_step *s = &w->trace->steps[w->at];
    fetch_code(sm, w, sm->cost->ops[s->op].line);
    if (!s->is_off)
        wait_for_sources(w, &sm->cost->ops[s->op]);
    if (s->pipe == PIPE_SHARED)
        wait_for(w, w->shared_from, WAIT_SHARED);
    heap_push(sm, w);
}

/* ---- blocks come and go ------------------------------------------------------------*/

uint64_t sample_of(const struct cost *c, const struct sm_load *load, uint32_t i)
{
    uint64_t last = (uint64_t)c->sample_count - 1;
    if (load->blocks <= 1 || !last)
        return 0;
    uint64_t sample = i * last / (load->blocks - 1);
    return sample == last && c->last_work < 1 ? last - 1 : sample;
}

static void block_begin(struct sm *sm, struct sm_block *b, double now)
{
    const struct cost *c = sm->cost;
    const struct sm_load *load = sm->load;
    const struct cost_block *sample =
        &c->samples[sample_of(c, load, sm->started)];
    double start = now > sm->launch_free ? now : sm->launch_free;

    sm->launch_free = start + sm->launch_every;
    sm->started++;
    b->count = b->running = c->warps;
    b->arrived = 0;
    b->drained = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        struct sm_warp *w = &b->warps[i];
        double from = start + sm->gpu->warp_launch_cycles * (i + 1);
        w->trace = &sample->warps[i];
        w->at = 0;
        w->age = sm->warps_started++;
        w->shared_from = w->drained = w->loaded = 0;
        w->ready = 0;
        w->wait = WAIT_ISSUE;
        memset(w->registers, 0, c->register_count * sizeof(double));
        warp_next(sm, w, from);
    }
}

static void barrier_open(struct sm *sm, struct sm_block *b)
{
    double at = sm->barrier_free + sm->gpu->barrier_latency;
    uint32_t count = b->arrived;
    b->arrived = 0;
    for (uint32_t k = 0; k < count; k++) {
        struct sm_warp *w = &b->warps[b->waiting[k]];
        double since = w->since;
        sm->load->wait[WAIT_BARRIER] += at - since;
        w->ready = at;
        w->wait = WAIT_ISSUE;
        warp_next(sm, w, at);
    }
}

/* Into a rising list. */
static void note_end(double *ends, uint32_t count, double end)
{
    for (; count && ends[count - 1] > end; count--)
        ends[count] = ends[count - 1];
    ends[count] = end;
}

static void warp_end(struct sm *sm, struct sm_warp *w, double now)
{
    struct sm_block *b = w->block;
    b->drained = larger(b->drained, larger(now, w->drained));
    if (w->ready > w->since)
        sm->load->wait[w->wait] += w->ready - w->since;
    if (--b->running) {
        if (b->arrived == b->running)
            barrier_open(sm, b);
        return;
    }
    now = b->drained;
    note_end(sm->load->ends, sm->ended++, now);
    if (sm->started < sm->load->blocks)
        block_begin(sm, b, now + sm->gpu->turnaround_cycles);
}

/* ---- pipes -------------------------------------------------------------------------*/

static double shared_access(struct sm *sm, struct sm_warp *w,
                            const struct cost_step *s, double now)
{
    const struct gpu *g = sm->gpu;
    const struct ptx_insn *insn = sm->cost->ops[s->op].insn;
    double turns = s->wavefronts, extra = 0;

    if (s->same_word) { /* an atomic: float ones are loops of CAS */
        bool is_float = ptx_type_kind(insn->type) == KIND_FLOAT;
        extra = s->same_word * (is_float ? g->shared_atomic_cycles : 1.0);
    }
    double service = turns * g->shared_wavefront_cycles + extra;
    double start = queue(&sm->shared_free, now, service);
    w->shared_from = now + g->shared_issue_cycles;
    return start + service - 1 + g->shared_latency;
}

/* ---- one instruction -----------------------------------------------------------------*/

static void issue_value(struct sm *sm, struct sm_warp *w,
                        const struct cost_step *s, double now)
{
    const struct gpu *g = sm->gpu;
    const struct cost_op *op = &sm->cost->ops[s->op];
    struct sm_heap *h = &sm->heaps[w->scheduler];
    double latency = op->how.latency, start = now;
    double least = s->issue - 1 + g->alu_latency;
    int ints = op->how.ints, xus = op->how.xus, doubles = op->how.doubles;
    int others = s->issue - ints - xus - doubles;

    if (ints)
        start = larger(start, queue(&h->int_free, now, ints * g->int_cycles));
    if (xus)
        start = larger(start, queue(&h->xu_free, now, xus * g->xu_cycles));
    if (doubles)
        start =
            larger(start, queue(&h->fp64_free, now, doubles * g->fp64_cycles));
    if (others > 0)
        start =
            larger(start, queue(&h->fp32_free, now, others * g->fp32_cycles));
    set_results(w, op, start + larger(latency, least), WAIT_ARITHMETIC);
    wait_for(w, start + s->issue, WAIT_ISSUE);
}

/* Returns false when the warp waits for others. */
static bool issue_step(struct sm *sm, struct sm_warp *w,
                       const struct cost_step *s, double now)
{
    const struct gpu *g = sm->gpu;
    const struct cost_op *op = &sm->cost->ops[s->op];
    enum cost_wait why = WAIT_SHARED;

    if (s->is_off)
        return true;
    switch ((enum cost_pipe)s->pipe) {
    case PIPE_SHARED:
        set_results(w, op, shared_access(sm, w, s, now), WAIT_SHARED);
        break;
    case PIPE_GLOBAL: {
        double ready = global_access(sm, w, s, now, &why);
        set_results(w, op, ready, why);
        break;
    }
    case PIPE_ATOMIC:
        set_results(w, op, atomic_access(sm, w, s, now), WAIT_ATOMIC);
        break;
    case PIPE_SHUFFLE: {
        double start = queue(&sm->shared_free, now, 1);
        double latency = op->how.latency;
        set_results(w, op, start + (latency > 0 ? latency : g->shuffle_latency),
                    WAIT_SHUFFLE);
        break;
    }
    case PIPE_BARRIER:
        queue(&sm->barrier_free, now, g->barrier_warp_cycles);
        w->since = now;
        w->block->waiting[w->block->arrived++] =
            (uint32_t)(w - w->block->warps);
        if (w->block->arrived == w->block->running)
            barrier_open(sm, w->block);
        return false;
    case PIPE_FENCE: wait_for(w, now + g->fence_latency, WAIT_LATENCY); break;
    case PIPE_BRANCH:
        wait_for(w, now + g->branch_latency, WAIT_ARITHMETIC);
        break;
    default: issue_value(sm, w, s, now);
    }
    return true;
}

/* The scheduler that can issue first; -1 if nothing is left. */
static int next_scheduler(const struct sm *sm, double *at)
{
    int best = -1;
    for (int k = 0; k < (int)sm->gpu->schedulers; k++) {
        const struct sm_heap *h = &sm->heaps[k];
        if (!h->count)
            continue;
        double ready = h->warps[0]->ready;
        double when = ready > h->slot_free ? ready : h->slot_free;
        if (best < 0 || when < *at) {
            best = k;
            *at = when;
        }
    }
    return best;
}

static void issue_all(struct sm *sm)
{
    double now = 0;
    for (int k; (k = next_scheduler(sm, &now)) >= 0;) {
        struct sm_heap *h = &sm->heaps[k];
        struct sm_warp *w = heap_pop(h);
        const struct cost_step *s = &w->trace->steps[w->at++];
        h->slot_free = now + s->issue;
        sm->load->issued += s->issue;
        if (w->ready > w->since)
            sm->load->wait[w->wait] += w->ready - w->since;
        sm->load->wait[WAIT_ISSUE] += now + s->issue - w->ready;
        w->ready = now + s->issue;
        w->wait = WAIT_ISSUE;
        if (issue_step(sm, w, s, now))
            warp_next(sm, w, now + s->issue);
    }
}

/* ---- set-up ---------------------------------------------------------------------------*/

static void sm_setup(struct sm *sm, uint32_t slots)
{
    const struct cost *c = sm->cost;
    const struct gpu *g = sm->gpu;
    uint32_t number = 0;

    sm->launch_every = g->block_launch_ns * g->clock_ghz * sm->load->sms;
    sm->launch_free = sm->launch_every;
    assert(g->schedulers > 0); /* as gpu.def says of each */
    for (uint32_t k = 0; k < g->schedulers; k++)
        sm->heaps[k].warps = checked_alloc((size_t)slots * c->warps *
                                           sizeof *sm->heaps[k].warps);
    sm->blocks = checked_alloc(slots * sizeof *sm->blocks);
    for (uint32_t b = 0; b < slots; b++) {
        sm->blocks[b].warps = checked_alloc(c->warps * sizeof(struct sm_warp));
        for (uint32_t i = 0; i < c->warps; i++) {
            struct sm_warp *w = &sm->blocks[b].warps[i];
            w->block = &sm->blocks[b];
            w->scheduler = number++ % g->schedulers;
            w->registers =
                checked_alloc((c->register_count + 1) * sizeof(double));
            w->reasons = checked_alloc(c->register_count + 1);
        }
    }
    memory_setup(sm);
}

static void sm_clear(struct sm *sm, uint32_t slots)
{
    for (uint32_t b = 0; b < slots; b++) {
        for (uint32_t i = 0; i < sm->cost->warps; i++) {
            free(sm->blocks[b].warps[i].registers);
            free(sm->blocks[b].warps[i].reasons);
        }
        free(sm->blocks[b].warps);
    }
    free(sm->blocks);
    free(sm->lines);
    for (uint32_t k = 0; k < sm->gpu->schedulers; k++)
        free(sm->heaps[k].warps);
}

void sm_run(const struct cost *c, struct sm_load *load)
{
    struct sm *sm = checked_alloc(sizeof *sm);
    uint32_t slots =
        load->resident < load->blocks ? load->resident : load->blocks;

    sm->cost = c;
    sm->gpu = c->gpu;
    sm->load = load;
    sm_setup(sm, slots);
    for (uint32_t b = 0; b < slots; b++)
        block_begin(sm, &sm->blocks[b], 0);
    issue_all(sm);
    load->end = sm->ended ? load->ends[sm->ended - 1] + load->tail : 0;
    /* Adds that nobody waits for are done while the kernel ends. */
    double overlap = c->gpu->atomic_overlap_ns * c->gpu->clock_ghz;
    for (int k = 0; k < sm->hot_count; k++)
        load->end = larger(load->end, sm->hot[k].free - overlap);
    sm_clear(sm, slots);
    free(sm);
}
