/* The watcher behind the time model.  See cost.h and cost_model.h. */
#include "watch/cost_model.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Registers a thread when nobody says: what ptxas gives small kernels. */
enum { USUAL_REGISTERS = 32 };

int cost_samples(uint64_t blocks, uint64_t list[COST_SAMPLES])
{
    int count = blocks < COST_SAMPLES ? (int)blocks : COST_SAMPLES;
    for (int s = 0; s < count; s++)
        list[s] = s == count - 1
                      ? blocks - 1
                      : (blocks - 1) / (uint64_t)(count - 1) * (uint64_t)s;
    return count;
}

static void begin_samples(struct cost *c)
{
    uint64_t list[COST_SAMPLES];
    c->sample_count = cost_samples(c->info->blocks, list);
    for (int s = 0; s < c->sample_count; s++) {
        struct cost_block *b = &c->samples[s];
        b->index = list[s];
        b->cost = c;
        b->places_shift = 64;
        b->warps = checked_alloc(c->warps * sizeof *b->warps);
    }
}

static void cost_begin(struct watcher *watcher, const struct launch_info *info)
{
    struct cost *c = (struct cost *)watcher;
    const struct gpu *g = c->gpu;

    c->info = info;
    c->warps = info->warps_per_block;
    c->registers = USUAL_REGISTERS;
    c->result.gpu = g;
    c->result.resident = gpu_resident_blocks(g, info->threads_per_block,
                                             c->registers, info->shared_bytes);
    begin_samples(c);
    assert(c->sample_count > 0 && c->warps > 0); /* a launch has blocks */
    c->steps_left = MAX_STEPS / (uint32_t)c->sample_count / c->warps;
    c->l1_sectors = 64;
    uint64_t sharing = (info->blocks + g->sms - 1) / g->sms;
    if (sharing > c->result.resident)
        sharing = c->result.resident;
    uint32_t l1_bytes = gpu_l1_bytes(g, c->result.resident, info->shared_bytes);
    while (c->l1_sectors * 2 * 32 * sharing <= l1_bytes)
        c->l1_sectors *= 2;
    record_program(c);
    for (int s = 0; s < c->sample_count; s++)
        c->samples[s].l1 =
            checked_alloc(c->l1_sectors * sizeof *c->samples[s].l1);
}

static void *cost_block_begin(struct watcher *watcher, uint64_t block)
{
    struct cost *c = (struct cost *)watcher;
    for (int s = 0; s < c->sample_count; s++)
        if (c->samples[s].index == block) {
            c->samples[s].has_run = true;
            return &c->samples[s];
        }
    return BLOCK_UNWATCHED;
}

static void cost_event(struct watcher *watcher, void *block,
                       const struct event *e)
{
    (void)watcher;
    record_event(block, e);
}

static void cost_end(struct watcher *watcher)
{
    struct cost *c = (struct cost *)watcher;
    bool has_run = true;
    for (int s = 0; s < c->sample_count; s++)
        has_run &= c->samples[s].has_run;
    if (!has_run)
        return; /* given up before */
    grid_time(c);
}

struct watcher *cost_watcher(const struct gpu *gpu)
{
    struct cost *c = checked_alloc(sizeof *c);
    c->gpu = gpu;
    c->watcher = (struct watcher){
        .name = "cost",
        .wants = WANTS(EVENT_RUN) | WANTS(EVENT_GUARD) | WANTS(EVENT_BRANCH) |
                 WANTS(EVENT_LOAD) | WANTS(EVENT_STORE) | WANTS(EVENT_ATOMIC),
        .begin = cost_begin,
        .block_begin = cost_block_begin,
        .event = cost_event,
        .end = cost_end,
    };
    return &c->watcher;
}

const struct cost_result *cost_watcher_result(const struct watcher *watcher)
{
    return &((const struct cost *)watcher)->result;
}

bool cost_needs_all_blocks(const struct ptx_function *f)
{
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *in = &f->insns[i];
        bool is_shared = in->space == SPACE_SHARED;
        if (in->op == OP_CALL || ((in->op == OP_MEMBAR || in->op == OP_FENCE) &&
                                  in->scope != SCOPE_CTA))
            return true;
        if (in->op == OP_LD && in->order != ORDER_WEAK && !is_shared)
            return true;
    }
    return false;
}

void cost_watcher_free(struct watcher *watcher)
{
    struct cost *c = (struct cost *)watcher;
    if (!c)
        return;
    for (int s = 0; s < c->sample_count; s++) {
        for (uint32_t i = 0; i < c->warps && c->samples[s].warps; i++) {
            free(c->samples[s].warps[i].steps);
            free(c->samples[s].warps[i].pending);
        }
        free(c->samples[s].warps);
        free(c->samples[s].l1);
    }
    arena_free(&c->arena);
    free(c);
}

const char *cost_shares_text(const struct cost_result *r, char *text,
                             size_t size)
{
    size_t used = 0;
    *text = 0;
    for (int k = 0; k < 3 && used < size; k++) {
        if (r->shares[k].share < 0.005)
            break;
        used += (size_t)snprintf(text + used, size - used, "%s%s %.0f %%",
                                 k ? ", " : "", r->shares[k].name,
                                 100 * r->shares[k].share);
    }
    return text;
}
