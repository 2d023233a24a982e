/* From one SM to the grid.
 *
 * The busiest SM gets ceil(blocks / SMs) blocks.  If they are many, the first
 * few waves are simulated; from then on blocks end at a steady pace, which is
 * the pace seen, or that of the busiest of the queues that all SMs share. */
#include "watch/cost_model.h"

#include <math.h>
#include <stdlib.h>

enum { WAVES = 6, MIN_BLOCKS = 24 };

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Steps of all samples over the steps that were kept. */
static double dropped_factor(const struct cost *c)
{
    double kept = 0, all = 0;
    for (int b = 0; b < c->sample_count; b++)
        for (uint32_t i = 0; i < c->warps; i++) {
            kept += c->samples[b].warps[i].count;
            all += c->samples[b].warps[i].count +
                   (double)c->samples[b].warps[i].dropped;
        }
    return kept > 0 ? all / kept : 1;
}

/* What it reads, stores and adds. */
static double work_of(const struct cost *c, int sample)
{
    double work = 0;
    for (uint32_t i = 0; i < c->warps; i++)
        for (uint32_t k = 0; k < c->samples[sample].warps[i].count; k++) {
            const struct cost_step *s = &c->samples[sample].warps[i].steps[k];
            if (s->pipe == PIPE_GLOBAL || s->pipe == PIPE_ATOMIC)
                work += s->l2_sectors;
        }
    return work;
}

static double last_work(const struct cost *c)
{
    double before = c->sample_count > 1 ? work_of(c, c->sample_count - 2) : 0;
    return before > 0 ? work_of(c, c->sample_count - 1) / before : 1;
}

static double bytes_of_a_block(const struct cost *c)
{
    double sectors = 0;
    for (int b = 0; b < c->sample_count; b++)
        for (uint32_t i = 0; i < c->warps; i++)
            for (uint32_t k = 0; k < c->samples[b].warps[i].count; k++) {
                const struct cost_step *s = &c->samples[b].warps[i].steps[k];
                if (s->pipe == PIPE_GLOBAL && !s->is_store)
                    sectors += s->dram_sectors * sample_share(c, b);
            }
    return 32 * sectors;
}

/* Cycles from block to block once the SM is full: over whole waves, as blocks
 * that began together end together.  The last wave runs beside fewer others. */
static double steady_pace(const struct sm_load *load)
{
    uint32_t waves = load->blocks / load->resident;
    uint32_t last = (waves - 1) * load->resident - 1;
    uint32_t first = (waves / 3) * load->resident - 1;
    return (load->ends[last] - load->ends[first]) / (last - first);
}

static int by_share(const void *a, const void *b)
{
    const struct cost_share *x = a, *y = b;
    return (x->share < y->share) - (x->share > y->share);
}

static void fill_shares(struct cost_result *r, const struct sm_load *load,
                        double launch, double atomic)
{
    static const char *const names[WAIT_KINDS] = {
        [WAIT_ISSUE] = "issue",
        [WAIT_ARITHMETIC] = "arithmetic",
        [WAIT_SHARED] = "shared memory",
        [WAIT_SHUFFLE] = "shuffles",
        [WAIT_BARRIER] = "barriers",
        [WAIT_LATENCY] = "memory latency",
        [WAIT_BANDWIDTH] = "memory bandwidth",
        [WAIT_ATOMIC] = "atomics",
        [WAIT_LAUNCH] = "launch",
    };
    double all = 0, rest = 1 - launch - atomic;

    for (int k = 0; k < WAIT_KINDS; k++)
        all += load->wait[k];
    for (int k = 0; k < WAIT_KINDS; k++) {
        r->shares[k].name = names[k];
        r->shares[k].share = all > 0 ? rest * load->wait[k] / all : 0;
    }
    r->shares[WAIT_LAUNCH].share += launch;
    r->shares[WAIT_ATOMIC].share += atomic;
    qsort(r->shares, WAIT_KINDS, sizeof r->shares[0], by_share);
}

/* Of many accesses to DRAM some take long: the kernel ends with the last. */
static double slowest_access(const struct cost *c, double bytes)
{
    double lines = bytes / 128 < 4096 ? bytes / 128 : 4096;
    return c->gpu->dram_tail_cycles * log2(1 + lines) / 12;
}

void grid_time(struct cost *c)
{
    const struct gpu *g = c->gpu;
    struct cost_result *r = &c->result;
    double blocks = (double)c->info->blocks;
    double most = ceil(blocks / g->sms);
    uint32_t few;
    struct sm_load load = {.resident = r->resident, .sms = blocks / most};

    find_reuse(c);
    c->last_work = last_work(c);
    few =
        WAVES * load.resident > MIN_BLOCKS ? WAVES * load.resident : MIN_BLOCKS;
    load.blocks = most > few ? few : (uint32_t)most;
    load.ends = checked_alloc(load.blocks * sizeof *load.ends);
    for (int b = 0; b < c->sample_count; b++)
        for (uint32_t i = 0; i < c->warps; i++)
            order_steps(c, &c->samples[b].warps[i]);
    double bytes = bytes_of_a_block(c) * blocks;
    load.tail = slowest_access(c, bytes);
    sm_run(c, &load);
    double cycles = load.end,
           forced = load.end - load.ends[load.blocks - 1] - load.tail;
    if (most > load.blocks) {
        double pace = steady_pace(&load);
        double busy = larger(load.atomic_busy, load.dram_busy) / load.blocks;
        cycles += larger(pace, busy) * (most - load.blocks);
        if (busy > pace && load.atomic_busy > load.dram_busy)
            forced += (busy - pace) * (most - load.blocks);
    }
    cycles *= dropped_factor(c);
    double sms = blocks < g->sms ? blocks : g->sms;
    double launch_ns = g->start_ns + sms * g->start_sm_ns + g->end_ns;
    r->time_ns = cycles / g->clock_ghz + launch_ns;
    r->dram_bytes = bytes * dropped_factor(c);
    r->limit_ns = r->dram_bytes / g->dram_gbps;
    r->waves = blocks / ((double)g->sms * load.resident);
    fill_shares(r, &load, launch_ns / r->time_ns,
                forced / g->clock_ghz / r->time_ns);
    free(load.ends);
    r->is_known = true;
}
