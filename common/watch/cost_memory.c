/* Global and local memory, the atomics, and code, as one SM sees them.  See
 * cost_sm.c. */
#include "watch/cost_sm.h"

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Code that no warp of this SM has run yet comes from memory.  What follows
 * in a straight line is on its way by then. */
void fetch_code(struct sm *sm, struct sm_warp *w, uint32_t line)
{
    const struct gpu *g = sm->gpu;
    double *there = &sm->lines[line];
    if (*there <= 0) {
        double before = line ? sm->lines[line - 1] : 0;
        *there = before > 0 ? before + g->code_line_cycles
                            : w->since + g->code_miss_cycles;
    }
    wait_for(w, *there, WAIT_LAUNCH);
}

double constants_there(struct sm *sm, const struct sm_warp *w)
{
    if (sm->constants <= 0)
        sm->constants = w->since + sm->gpu->constant_miss_cycles;
    return sm->constants;
}

/* ---- loads and stores --------------------------------------------------------*/

/* One half of the L2 and its DRAM is nearer to this SM than the other.  Who
 * wants several lines waits for the farthest. */
static double distance(struct sm *sm, uint32_t lines)
{
    uint64_t halves = ++sm->accesses * 0x9e3779b97f4a7c15u >> 40;
    uint64_t of_mine = lines < 24 ? (1u << lines) - 1 : ~0u;
    return halves & of_mine ? sm->gpu->far_cycles : -sm->gpu->far_cycles;
}

/* The busier the DRAM, the longer an access takes there: banks and rows are
 * not asked evenly.  Busy lately means in the last microsecond or so. */
static double dram_latency(struct sm *sm, double now, double service)
{
    enum { LATELY = 400 };
    double since = now - sm->dram_last;
    sm->dram_last = now;
    sm->dram_used *= since < LATELY ? 1 - since / LATELY : 0;
    sm->dram_used += service / LATELY;
    double used = sm->dram_used < 1 ? sm->dram_used : 1;
    return sm->gpu->dram_latency + sm->gpu->dram_loaded_cycles * used * used;
}

/* A warp stays until its stores are acknowledged.  What the L2 takes in, from
 * the SMs or from DRAM, stands in one queue: stores alone, copies and loads
 * alone move as many bytes a second (tests/golden/micro_memory.txt). */
static double store(struct sm *sm, const struct cost_step *s, double now)
{
    const struct gpu *g = sm->gpu;
    double sector =
        s->is_local ? g->local_store_cycles : g->store_sector_cycles;
    double service =
        larger(s->l2_lines * g->store_line_cycles, s->l2_sectors * sector);
    double start = queue(&sm->store_free, now, service) + service;
    if (s->dram_sectors) {
        service = s->dram_sectors;
        if (s->dram_lines) /* a part of a sector: the rest is fetched, too */
            service *= 2 * g->dram_line_sectors;
        service *= sm->dram_sector;
        start = queue(&sm->dram_free, start, service) + service;
        sm->load->dram_busy += service;
    }
    return start + g->store_latency;
}

double global_access(struct sm *sm, struct sm_warp *w,
                     const struct cost_step *s, double now, enum cost_wait *why)
{
    const struct gpu *g = sm->gpu;
    double more = (s->lines > 1 ? s->lines - 1 : 0) * g->l1_line_cycles;
    double at = queue(&sm->l1_free, now, s->lines * g->l1_line_cycles) + more;

    *why = WAIT_LATENCY;
    for (int k = 0; k < sm->hot_count; k++) /* its slice of the L2 */
        sm->hot[k].free += s->l2_sectors * sm->l2_sector;
    if (s->is_store) {
        w->drained = larger(w->drained, store(sm, s, at));
        return at;
    }
    if (!s->l2_sectors)
        return at + g->l1_latency;
    double fill = larger(s->l2_lines * g->l2_line_cycles,
                         s->l2_sectors * g->l1_sector_cycles);
    at = queue(&sm->fill_free, at, fill);
    if (s->l2_lines > 1)
        at += fill - fill / s->l2_lines;
    if (!s->dram_sectors)
        return at + g->l2_latency;
    double service =
        larger(s->dram_sectors, s->dram_lines * g->dram_line_sectors) *
        sm->dram_sector;
    double start = queue(&sm->dram_free, at, service);
    sm->load->dram_busy += service;
    if (start - now > g->dram_latency)
        *why = WAIT_BANDWIDTH;
    return start + service + dram_latency(sm, start, service) +
           distance(sm, s->l2_lines);
}

/* ---- atomics -------------------------------------------------------------------*/

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

/* The first add to a word waits until it has come from DRAM. */
static double first_add(const struct sm *sm, const struct hot_spot *spot,
                        double start)
{
    if (spot->busy > 0)
        return start;
    return start + sm->gpu->dram_latency - sm->gpu->l2_latency;
}

/* Adds wait at the L2 for those before them in the same place.  A warp that
 * needs no answer goes on, until too many of its SM are on their way. */
double atomic_access(struct sm *sm, struct sm_warp *w,
                     const struct cost_step *s, double now)
{
    const struct gpu *g = sm->gpu;
    struct hot_spot *spot = hot_spot(sm, s->address);
    enum ptx_type type = sm->cost->ops[s->op].insn->type;
    double service =
        atomic_service(g, spot, s, ptx_type_kind(type) == KIND_FLOAT);
    double leaving = larger(s->lanes * g->atomic_lane_cycles,
                            s->l2_sectors * g->atomic_sector_cycles);
    double start =
        queue(&sm->atomic_free, now, leaving) + g->atomic_latency / 2;

    /* Blocks that add to many words are spread over them at any time: their
     * stretches share the work. */
    if (spot && !spot->word) {
        service /= sm->spread_count;
        spot = sm->spread;
    }
    if (spot) {
        service *= spot->others;
        start = queue(&spot->free, first_add(sm, spot, start), service);
        spot->busy += service;
        if (spot->busy > sm->load->atomic_busy)
            sm->load->atomic_busy = spot->busy;
    }
    double *oldest = &sm->reds[sm->red_count++ % RED_QUEUE];
    if (*oldest > now)
        wait_for(w, *oldest, WAIT_ATOMIC);
    *oldest = start + service;
    /* Of those that the other SMs send at the time half are before it. */
    return start + service / 2 + g->atomic_latency / 2;
}

/* ---- set-up ---------------------------------------------------------------------*/

static void note_atomic(struct sm *sm, const struct cost_step *s, int sample)
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
    spot->adds[sample]++;
}

/* The adds of all SMs for one of this SM, where more than one block adds. */
static double others(const struct sm *sm, const double adds[COST_SAMPLES])
{
    const struct cost *c = sm->cost;
    double all = 0, mine = 0;
    int users = 0;

    for (int b = 0; b < c->sample_count; b++) {
        all += adds[b] * sample_share(c, b);
        users += adds[b] > 0;
    }
    for (uint32_t i = 0; i < sm->load->blocks; i++)
        mine += adds[sample_of(c, sm->load, i)];
    if ((c->sample_count > 1 && users <= 1) || mine <= 0)
        return 1;
    return larger(1, all * sm->load->blocks * sm->load->sms / mine);
}

/* Samples meet some of the stretches; all that lie between are used, too. */
static int spread_over(const struct sm *sm)
{
    uint64_t first = UINT64_MAX, last = 0;
    for (int k = 0; k < sm->hot_count; k++) {
        const struct hot_spot *spot = &sm->hot[k];
        if (spot->word)
            continue;
        first = spot->stretch < first ? spot->stretch : first;
        last = spot->stretch > last ? spot->stretch : last;
    }
    uint64_t count = last - first + 1;
    return (int)(count < sm->gpu->l2_slices ? count : sm->gpu->l2_slices);
}

/* Where blocks add, and how much of it this SM does. */
static void find_hot_spots(struct sm *sm)
{
    const struct cost *c = sm->cost;
    double spread[COST_SAMPLES] = {0};

    for (int b = 0; b < c->sample_count; b++)
        for (uint32_t i = 0; i < c->warps; i++) {
            const struct cost_warp *w = &c->samples[b].warps[i];
            for (uint32_t k = 0; k < w->count; k++)
                if (w->steps[k].pipe == PIPE_ATOMIC && !w->steps[k].is_off)
                    note_atomic(sm, &w->steps[k], b);
        }
    for (int k = 0; k < sm->hot_count; k++) {
        struct hot_spot *spot = &sm->hot[k];
        spot->others = others(sm, spot->adds);
        if (spot->word)
            continue;
        if (sm->spread_count++ == 0)
            sm->spread = spot;
        for (int b = 0; b < c->sample_count; b++)
            spread[b] += spot->adds[b];
    }
    if (sm->spread) {
        sm->spread->others = others(sm, spread);
        sm->spread_count = spread_over(sm);
    }
}

void memory_setup(struct sm *sm)
{
    const struct gpu *g = sm->gpu;
    sm->dram_sector = 32 / g->dram_gbps * g->clock_ghz * sm->load->sms;
    sm->l2_sector =
        g->l2_sector_ns * g->clock_ghz * sm->load->sms / g->l2_slices;
    sm->lines = checked_alloc(sm->cost->line_count * sizeof *sm->lines);
    find_hot_spots(sm);
}
