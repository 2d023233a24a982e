/* One SM issues the steps of its blocks.
 *
 *   each scheduler: the warp that has been ready longest issues next, at
 *   max(its operands are there, the slot is free); the instruction's results
 *   are ready a latency later, or when the queue it stands in has served it
 *
 * Queues: shared memory (a wavefront a cycle), barriers, the way into the SM,
 * and what all SMs share: DRAM and the atomics on one word.  All SMs do the
 * same at the same time, so this one waits `sms` times its own share. */
#include "watch/cost_model.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_HOT = 64, HOT_BYTES = 1024, RED_QUEUE = 32, MAX_SCHEDULERS = 8 };

struct sm_block;
struct sm_warp {
    const struct cost_warp *trace;
    struct sm_block *block;
    uint32_t at; /* next step */
    uint32_t scheduler;
    uint32_t age; /* how many warps began before it */
    double since; /* it could issue from then on, but for ... */
    double ready; /* ... what it waits for until then */
    enum cost_wait wait;
    double shared_from; /* its next shared access */
    double *registers;  /* when each is ready */
    uint8_t *reasons;   /* enum cost_wait, if it is waited for */
};
struct sm_block {
    struct sm_warp *warps;
    uint32_t count, running, arrived;
    uint32_t waiting[32]; /* warps at the barrier */
};
/* Ready warps of one scheduler, a heap by time, then by age. */
struct sm_heap {
    struct sm_warp **warps;
    uint32_t count;
    double slot_free;
    double int_free, fp32_free, fp64_free, xu_free; /* its pipes */
};
/* A stretch of memory whose atomics one slice of the L2 does, in turn. */
struct hot_spot {
    uint64_t stretch; /* address / HOT_BYTES */
    uint64_t word;    /* that all its atomics want; 0: several words */
    double sms;       /* that add to it at the same time */
    double free, busy;
};
struct sm {
    const struct cost *cost;
    const struct gpu *gpu;
    struct sm_load *load;
    struct sm_heap heaps[MAX_SCHEDULERS];
    struct sm_block *blocks;
    uint32_t started, ended, warps_started;
    double launch_free, launch_every;
    double shared_free, barrier_free, fill_free, dram_free;
    double dram_sector, l2_sector; /* cycles of the queue */
    double dram_used, dram_last;   /* share of busy time, lately; and when */
    double *lines;                 /* of code: when each is there; 0 not yet */
    struct hot_spot hot[MAX_HOT];
    int hot_count;
    struct hot_spot *spread; /* the first of these with several words ... */
    int spread_count;        /* ... and how many they are */
    double reds[RED_QUEUE];  /* when the last ones were served */
    uint32_t red_count;
};

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

/* ---- what a warp waits for -------------------------------------------------------*/

static void wait_for(struct sm_warp *w, double until, enum cost_wait why)
{
    if (until > w->ready) {
        w->ready = until;
        w->wait = why;
    }
}

static void set_results(struct sm_warp *w, const struct cost_op *op,
                        double ready, enum cost_wait why)
{
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
static void pass_free_steps(const struct cost *c, struct sm_warp *w)
{
    for (; w->at < w->trace->count; w->at++) {
        const struct cost_step *s = &w->trace->steps[w->at];
        const struct cost_op *op = &c->ops[s->op];
        double ready = 0;
        enum cost_wait why = WAIT_ARITHMETIC;
        if (s->issue)
            return;
        for (int k = 0; k < op->source_count; k++)
            if (w->registers[op->source[k]] > ready) {
                ready = w->registers[op->source[k]];
                why = (enum cost_wait)w->reasons[op->source[k]];
            }
        set_results(w, op, ready, why);
    }
}

/* Code that no warp of this SM has run yet comes from memory. */
static void fetch_code(struct sm *sm, struct sm_warp *w, uint32_t line)
{
    double *there = &sm->lines[line];
    if (*there <= 0)
        *there = w->since + sm->gpu->code_line_cycles;
    wait_for(w, *there, WAIT_LAUNCH);
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
    pass_free_steps(sm->cost, w);
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

static void block_begin(struct sm *sm, struct sm_block *b, double now)
{
    const struct cost *c = sm->cost;
    const struct sm_load *load = sm->load;
    /* Samples in their order: the last block simulated is the last one. */
    uint64_t which = load->blocks > 1 ? (uint64_t)sm->started *
                                            (uint64_t)(c->sample_count - 1) /
                                            (load->blocks - 1)
                                      : 0;
    const struct cost_block *sample = &c->samples[which];
    double start = now > sm->launch_free ? now : sm->launch_free;

    sm->launch_free = start + sm->launch_every;
    sm->started++;
    b->count = b->running = c->warps;
    b->arrived = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        struct sm_warp *w = &b->warps[i];
        double from = start + sm->gpu->warp_launch_cycles * (i + 1);
        w->trace = &sample->warps[i];
        w->at = 0;
        w->age = sm->warps_started++;
        w->shared_from = 0;
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

static void warp_end(struct sm *sm, struct sm_warp *w, double now)
{
    struct sm_block *b = w->block;
    if (w->ready > w->since)
        sm->load->wait[w->wait] += w->ready - w->since;
    if (--b->running) {
        if (b->arrived == b->running)
            barrier_open(sm, b);
        return;
    }
    sm->load->ends[sm->ended++] = now;
    if (sm->started < sm->load->blocks)
        block_begin(sm, b, now + sm->gpu->turnaround_cycles);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* ---- pipes -------------------------------------------------------------------------*/

static double queue(double *free, double now, double service)
{
    double start = now > *free ? now : *free;
    *free = start + service;
    return start;
}

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

/* The busier the DRAM, the longer an access takes there: banks and rows are
 * not asked evenly.  Busy lately means in the last microsecond or so. */
static double dram_latency(struct sm *sm, double now, double service)
{
    enum { LATELY = 2000 };
    double since = now - sm->dram_last;
    sm->dram_last = now;
    sm->dram_used *= since < LATELY ? 1 - since / LATELY : 0;
    sm->dram_used += service / LATELY;
    double used = sm->dram_used < 1 ? sm->dram_used : 1;
    return sm->gpu->dram_latency + sm->gpu->dram_loaded_cycles * used * used;
}

static double global_access(struct sm *sm, const struct cost_step *s,
                            double now, enum cost_wait *why)
{
    const struct gpu *g = sm->gpu;
    *why = WAIT_LATENCY;
    if (!s->l2_sectors)
        return now + g->l1_latency;
    double at = queue(&sm->fill_free, now, s->l2_sectors * g->l1_sector_cycles);
    for (int k = 0; k < sm->hot_count; k++) /* its slice of the L2 */
        sm->hot[k].free += s->l2_sectors * sm->l2_sector;
    if (!s->dram_sectors)
        return at + g->l2_latency;
    double service = s->dram_sectors * sm->dram_sector;
    double start = queue(&sm->dram_free, at, service);
    sm->load->dram_busy += service;
    if (start - now > g->dram_latency)
        *why = WAIT_BANDWIDTH;
    return start + service + dram_latency(sm, start, service);
}

static struct hot_spot *hot_spot(struct sm *sm, uint64_t address)
{
    for (int k = 0; k < sm->hot_count; k++)
        if (sm->hot[k].stretch == address / HOT_BYTES)
            return &sm->hot[k];
    return NULL;
}

/* How long the slice is busy with a warp's atomic: the lanes of one word in
 * turn; different words by the sector. */
static double atomic_service(const struct gpu *g, const struct hot_spot *spot,
                             const struct cost_step *s, bool is_float)
{
    double turn_ns =
        is_float || g->atomic_int_ns == 0 ? g->atomic_ns : g->atomic_int_ns;
    double sector_ns = g->atomic_sector_ns > 0 && g->atomic_sector_ns < turn_ns
                           ? g->atomic_sector_ns
                           : turn_ns;
    if (!spot || spot->word)
        return s->same_word * turn_ns * g->clock_ghz;
    return ((s->same_word - 1) * turn_ns + s->l2_sectors * sector_ns) *
           g->clock_ghz;
}

/* Adds wait at the L2 for those before them in the same place.  A warp that
 * needs no answer goes on, until too many of its SM are on their way. */
static double atomic_access(struct sm *sm, struct sm_warp *w,
                            const struct cost_step *s, double now)
{
    const struct gpu *g = sm->gpu;
    struct hot_spot *spot = hot_spot(sm, s->address);
    enum ptx_type type = sm->cost->ops[s->op].insn->type;
    double service =
        atomic_service(g, spot, s, ptx_type_kind(type) == KIND_FLOAT);
    double start = now + g->l2_latency / 2;

    /* Blocks that add to many words are spread over them at any time: their
     * stretches share the work. */
    if (spot && !spot->word) {
        service /= sm->spread_count;
        spot = sm->spread;
    }
    if (spot) {
        service *= spot->sms;
        start = queue(&spot->free, start, service);
        spot->busy += service;
        if (spot->busy > sm->load->atomic_busy)
            sm->load->atomic_busy = spot->busy;
    }
    double *oldest = &sm->reds[sm->red_count++ % RED_QUEUE];
    if (*oldest > now)
        wait_for(w, *oldest, WAIT_ATOMIC);
    *oldest = start + service;
    return start + service + g->l2_latency / 2;
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
        double ready = global_access(sm, s, now, &why);
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

static void note_atomic(struct sm *sm, const struct cost_step *s, bool *met)
{
    struct hot_spot *spot = hot_spot(sm, s->address);
    if (!spot && sm->hot_count < MAX_HOT) {
        spot = &sm->hot[sm->hot_count++];
        *spot = (struct hot_spot){.stretch = s->address / HOT_BYTES,
                                  .word = s->address};
    }
    if (!spot)
        return;
    if (spot->word != s->address || s->l2_sectors > 1)
        spot->word = 0;
    if (!met[spot - sm->hot]) {
        met[spot - sm->hot] = true;
        spot->sms++;
    }
}

/* Where blocks add, and how many of the samples do. */
static void find_hot_spots(struct sm *sm)
{
    const struct cost *c = sm->cost;
    for (int b = 0; b < c->sample_count; b++) {
        bool met[MAX_HOT] = {false};
        for (uint32_t i = 0; i < c->warps; i++) {
            const struct cost_warp *w = &c->samples[b].warps[i];
            for (uint32_t k = 0; k < w->count; k++)
                if (w->steps[k].pipe == PIPE_ATOMIC && !w->steps[k].is_off)
                    note_atomic(sm, &w->steps[k], met);
        }
    }
    for (int k = 0; k < sm->hot_count; k++) {
        struct hot_spot *spot = &sm->hot[k];
        if (!spot->word && sm->spread_count++ == 0)
            sm->spread = spot;
        if (c->sample_count > 1 && spot->sms <= 1)
            continue; /* this block's own */
        spot->sms *= sm->load->sms / c->sample_count;
        if (spot->sms < 1)
            spot->sms = 1;
    }
}

static void sm_setup(struct sm *sm, uint32_t slots)
{
    const struct cost *c = sm->cost;
    const struct gpu *g = sm->gpu;
    uint32_t number = 0;

    sm->launch_every = g->block_launch_ns * g->clock_ghz * sm->load->sms;
    sm->launch_free = sm->launch_every;
    sm->dram_sector = 32 / g->dram_gbps * g->clock_ghz * sm->load->sms;
    sm->l2_sector =
        g->l2_sector_ns * g->clock_ghz * sm->load->sms / g->l2_slices;
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
    sm->lines = checked_alloc(c->line_count * sizeof *sm->lines);
    find_hot_spots(sm);
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
    load->end = sm->ended ? load->ends[sm->ended - 1] : 0;
    for (int k = 0; k < sm->hot_count; k++)
        if (sm->hot[k].free > load->end)
            load->end = sm->hot[k].free;
    sm_clear(sm, slots);
    free(sm);
}
