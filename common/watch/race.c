/* The race watcher: takes events, keeps the clocks of each block. */
#include "watch/race.h"

#include <stdlib.h>
#include <string.h>

/* ---- what an access can mean ---------------------------------------------------*/

bool race_is_flag(const struct race *r, uint32_t id)
{
    const struct ptx_function *f;
    const struct ptx_insn *insn = race_insn(r, id, &f);
    if (insn->op == OP_ATOM || insn->op == OP_RED)
        return true;
    if (insn->order != ORDER_VOLATILE)
        return insn->order != ORDER_WEAK;
    if (insn->op == OP_LD)
        return r
            ->polls[id >> RACE_INSN_BITS][id & ((1u << RACE_INSN_BITS) - 1)];
    return ptx_type_kind(insn->type) != KIND_FLOAT &&
           ptx_type_kind(insn->type) != KIND_PACKED;
}

bool race_is_strong(const struct race *r, uint32_t id)
{
    const struct ptx_function *f;
    return race_insn(r, id, &f)->order != ORDER_WEAK;
}

static bool reads_register(const struct ptx_insn *insn, int reg)
{
    for (int k = 0; k < insn->operand_count; k++) {
        const struct ptx_operand *o = &insn->operand[k];
        bool written = k == 0 && *ptx_ops[insn->op].shape != 'm';
        if (!written && o->kind == OPERAND_REGISTER && o->reg == reg)
            return true;
    }
    return false;
}

/* The value in `reg` goes into comparisons only, perhaps by way of a move, a
 * conversion or a mask. */
static bool only_compared(const struct ptx_function *f, int reg, int depth)
{
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        if (!reads_register(insn, reg) || insn->op == OP_SETP ||
            insn->op == OP_BAR)
            continue;
        bool passes =
            insn->op == OP_MOV || insn->op == OP_CVT || insn->op == OP_AND;
        if (!passes || !depth || insn->operand[0].kind != OPERAND_REGISTER ||
            ptx_type_kind(insn->type) == KIND_FLOAT ||
            !only_compared(f, insn->operand[0].reg, depth - 1))
            return false;
    }
    return true;
}

static void find_polls(struct race *r)
{
    const struct launch_info *info = r->info;
    r->polls = checked_alloc((size_t)info->function_count * sizeof *r->polls);
    for (int k = 0; k < info->function_count; k++) {
        const struct ptx_function *f = info->functions[k];
        r->polls[k] = checked_alloc((size_t)f->insn_count + 1);
        for (int i = 0; i < f->insn_count; i++) {
            const struct ptx_insn *insn = &f->insns[i];
            if (insn->op == OP_LD && insn->order == ORDER_VOLATILE &&
                insn->operand[0].kind == OPERAND_REGISTER &&
                ptx_type_kind(insn->type) != KIND_FLOAT)
                r->polls[k][i] = only_compared(f, insn->operand[0].reg, 2);
        }
    }
}

/* ---- order inside a block ---------------------------------------------------------*/

bool race_ordered(const struct race_block *b, uint32_t time, uint32_t thread,
                  uint32_t by, bool strong)
{
    uint32_t warp = by / WARP_LANES, other = thread / WARP_LANES;
    const struct warp_clock *w = &b->warps[warp];
    if (thread == by || time <= w->seen[other])
        return true;
    if (strong && w->has_pending && time <= w->pending[other])
        return true;
    return warp == other && w->lanes &&
           time <= w->lanes->seen[by % WARP_LANES][thread % WARP_LANES];
}

static void raise_to(uint32_t *seen, const uint32_t *more)
{
    for (int x = 0; x < MAX_WARPS; x++)
        seen[x] = seen[x] < more[x] ? more[x] : seen[x];
}

/* Lanes of one warp meet: what one of them knew, all know now. */
static void lanes_meet(struct race_block *b, uint32_t warp, uint32_t lanes,
                       uint32_t live)
{
    struct warp_clock *w = &b->warps[warp];
    if ((live & ~lanes) == 0) {
        w->seen[warp] = b->now;
        return;
    }
    if (!w->lanes)
        w->lanes = checked_alloc(sizeof *w->lanes);
    uint32_t joined[WARP_LANES] = {0};
    for (uint32_t m = lanes; m; m &= m - 1) {
        const uint32_t *row = w->lanes->seen[__builtin_ctz(m)];
        for (int k = 0; k < WARP_LANES; k++)
            if (joined[k] < row[k])
                joined[k] = row[k];
    }
    for (uint32_t m = lanes; m; m &= m - 1)
        joined[__builtin_ctz(m)] = b->now;
    for (uint32_t m = lanes; m; m &= m - 1)
        memcpy(w->lanes->seen[__builtin_ctz(m)], joined, sizeof joined);
}

static void set_low(struct warp_clock *w, uint32_t warps)
{
    uint32_t low = w->seen[0];
    for (uint32_t x = 1; x < warps; x++)
        low = low > w->seen[x] ? w->seen[x] : low;
    w->low = low;
}

static void barrier_arrives(struct race_block *b, const struct event *ev)
{
    struct barrier_clock *bar = &b->barriers[ev->barrier];
    if (!bar->open)
        memset(bar, 0, sizeof *bar);
    bar->open = true;
    if (ev->active == ev->named && ev->insn->mode != MODE_ARRIVE)
        bar->waiting |= 1u << ev->warp;
    raise_to(bar->joined, b->warps[ev->warp].seen);
    bar->joined[ev->warp] = b->now;
}

static void barrier_opens(struct race_block *b, const struct event *ev)
{
    struct barrier_clock *bar = &b->barriers[ev->barrier];
    struct warp_clock *w = &b->warps[ev->warp];
    if (bar->open) /* who stands at the barrier has done nothing since */
        for (uint32_t m = bar->waiting; m; m &= m - 1)
            bar->joined[__builtin_ctz(m)] = b->now;
    bar->open = false;
    uint32_t own = w->seen[ev->warp];
    raise_to(w->seen, bar->joined);
    w->seen[ev->warp] = own; /* its own lanes: only those that came */
    lanes_meet(b, ev->warp, ev->active, ev->named);
    set_low(w, b->race->info->warps_per_block);
}

/* ---- messages by flags ---------------------------------------------------------------*/

static bool releases(const struct ptx_insn *insn)
{
    return insn->order >= ORDER_RELEASE;
}

static bool acquires(const struct ptx_insn *insn)
{
    return insn->order == ORDER_ACQUIRE || insn->order >= ORDER_ACQ_REL;
}

bool race_is_release(const struct race_block *b, const struct event *ev)
{
    return ev->kind == EVENT_STORE && ev->insn->order != ORDER_WEAK &&
           race_is_flag(b->race,
                        race_insn_id(b->race, ev->function, ev->insn)) &&
           (b->warps[ev->warp].fence_time || releases(ev->insn));
}

static struct flag *flag_at(struct race_block *b, uint32_t cell)
{
    for (struct flag *f = b->flags; f; f = f->next)
        if (f->cell == cell)
            return f;
    return NULL;
}

void race_publish(struct race_block *b, uint32_t cell, const struct event *ev)
{
    struct warp_clock *w = &b->warps[ev->warp];
    if (!w->fence_time && !releases(ev->insn))
        return;
    struct flag *f = flag_at(b, cell);
    if (!f) {
        f = checked_alloc(sizeof *f);
        f->cell = cell;
        f->next = b->flags;
        b->flags = f;
    }
    bool now = releases(ev->insn);
    raise_to(f->seen, now ? w->seen : w->fence_seen);
    uint32_t own = now ? b->now : w->fence_time;
    if (f->seen[ev->warp] < own)
        f->seen[ev->warp] = own;
}

void race_learn(struct race_block *b, uint32_t cell, const struct event *ev)
{
    struct warp_clock *w = &b->warps[ev->warp];
    const struct flag *f = flag_at(b, cell);
    if (!f)
        return;
    if (acquires(ev->insn)) {
        raise_to(w->seen, f->seen);
        set_low(w, b->race->info->warps_per_block);
        return;
    }
    if (!w->has_pending)
        memset(w->pending, 0, sizeof w->pending);
    w->has_pending = true;
    raise_to(w->pending, f->seen);
}

static void fence(struct race_block *b, const struct event *ev)
{
    struct warp_clock *w = &b->warps[ev->warp];
    if (w->has_pending) {
        raise_to(w->seen, w->pending);
        set_low(w, b->race->info->warps_per_block);
    }
    w->has_pending = false;
    w->fence_time = b->now;
    memcpy(w->fence_seen, w->seen, sizeof w->seen);
}

/* ---- instructions as numbers -----------------------------------------------------------*/

uint32_t race_insn_id(struct race *r, const struct ptx_function *function,
                      const struct ptx_insn *insn)
{
    int f = 0;
    while (r->info->functions[f] != function)
        f++;
    return (uint32_t)f << RACE_INSN_BITS | (uint32_t)(insn - function->insns);
}

const struct ptx_insn *race_insn(const struct race *r, uint32_t id,
                                 const struct ptx_function **function)
{
    *function = r->info->functions[id >> RACE_INSN_BITS];
    return &(*function)->insns[id & ((1u << RACE_INSN_BITS) - 1)];
}

/* ---- the watcher's functions ---------------------------------------------------------*/

static uint32_t live_lanes(const struct race_block *b, uint32_t warp)
{
    uint32_t threads = b->race->info->threads_per_block;
    uint32_t rest = threads - warp * WARP_LANES;
    return rest >= WARP_LANES ? 0xffffffffu : (1u << rest) - 1;
}

static void on_event(struct watcher *watcher, void *state,
                     const struct event *ev)
{
    struct race_block *b = state;
    (void)watcher;
    b->now++;
    switch (ev->kind) {
    case EVENT_LOAD:
    case EVENT_STORE:
    case EVENT_ATOMIC:
        if (ev->space == SPACE_SHARED)
            cells_access(b, ev);
        else if (ev->space == SPACE_GLOBAL)
            grid_access(b, ev);
        break;
    case EVENT_WARP_SYNC:
        lanes_meet(b, ev->warp, ev->active,
                   live_lanes(b, ev->warp) & ~b->gone[ev->warp]);
        break;
    case EVENT_BARRIER: barrier_arrives(b, ev); break;
    case EVENT_BARRIER_DONE: barrier_opens(b, ev); break;
    case EVENT_FENCE:
        fence(b, ev);
        grid_fence(b, ev);
        break;
    case EVENT_EXIT: b->gone[ev->warp] |= ev->active; break;
    default: break;
    }
}

static struct race_block *block_take(struct race *r)
{
    struct race_block *b = r->free_blocks;
    if (b) {
        r->free_blocks = b->next_free;
        return b;
    }
    b = checked_alloc(sizeof *b);
    b->race = r;
    b->next = r->all_blocks;
    r->all_blocks = b;
    cells_alloc(b);
    return b;
}

/* Old cells need no clearing: everything up to now counts as seen. */
static void *on_block_begin(struct watcher *watcher, uint64_t block)
{
    struct race *r = (struct race *)watcher;
    struct race_block *b = block_take(r);
    if (b->now > 0x70000000u) { /* the clock must not wrap */
        for (int s = 0; s < SLOTS; s++)
            memset(b->time[s], 0, r->cells * sizeof *b->time[s]);
        b->now = 0;
    }
    b->block = block;
    b->in_turn = b->has_atomics = false;
    b->now++;
    memset(b->gone, 0, sizeof b->gone);
    for (int w = 0; w < MAX_WARPS; w++) {
        struct warp_clock *clock = &b->warps[w];
        for (int x = 0; x < MAX_WARPS; x++)
            clock->seen[x] = b->now;
        clock->low = b->now;
        free(clock->lanes);
        clock->lanes = NULL;
        clock->has_pending = false;
        clock->fence_time = 0;
    }
    for (int k = 0; k < 16; k++)
        b->barriers[k].open = false;
    while (b->flags) {
        struct flag *f = b->flags;
        b->flags = f->next;
        free(f);
    }
    grid_begin_block(b);
    return b;
}

static void on_block_turn(struct watcher *watcher, void *state)
{
    (void)watcher;
    grid_turn(state);
}

static void on_block_end(struct watcher *watcher, void *state, uint64_t block)
{
    struct race *r = (struct race *)watcher;
    struct race_block *b = state;
    (void)block;
    grid_end_block(b);
    finding_join(r->findings, &b->findings);
    finding_free(&b->findings);
    b->told_count = 0;
    b->next_free = r->free_blocks;
    r->free_blocks = b;
}

/* Does the program move less than a word at a time? */
static bool moves_bytes(const struct launch_info *info)
{
    for (int f = 0; f < info->function_count; f++)
        for (int i = 0; i < info->functions[f]->insn_count; i++) {
            const struct ptx_insn *insn = &info->functions[f]->insns[i];
            if ((insn->op == OP_LD || insn->op == OP_ST ||
                 insn->op == OP_ATOM) &&
                insn->space != SPACE_PARAM && ptx_type_bytes(insn->type) < 4)
                return true;
        }
    return false;
}

static void on_begin(struct watcher *watcher, const struct launch_info *info)
{
    struct race *r = (struct race *)watcher;
    r->info = info;
    r->cell_bytes = moves_bytes(info) ? 1 : 4;
    r->cells = (info->shared_bytes + r->cell_bytes - 1) / r->cell_bytes + 1;
    r->grid = grid_new(r);
    find_polls(r);
}

static void on_end(struct watcher *watcher)
{
    struct race *r = (struct race *)watcher;
    while (r->all_blocks) {
        struct race_block *b = r->all_blocks;
        r->all_blocks = b->next;
        for (int w = 0; w < MAX_WARPS; w++)
            free(b->warps[w].lanes);
        while (b->flags) {
            struct flag *f = b->flags;
            b->flags = f->next;
            free(f);
        }
        cells_free(b);
        grid_free_block(b);
        free(b->told);
        free(b);
    }
    r->free_blocks = NULL;
    grid_free(r->grid);
    for (int k = 0; k < r->info->function_count; k++)
        free(r->polls[k]);
    free(r->polls);
    r->grid = NULL;
}

struct watcher *race_watcher(struct finding_list *list)
{
    struct race *r = checked_alloc(sizeof *r);
    r->findings = list;
    r->watcher = (struct watcher){
        .name = "race",
        .wants = WANTS(EVENT_LOAD) | WANTS(EVENT_STORE) | WANTS(EVENT_ATOMIC) |
                 WANTS(EVENT_WARP_SYNC) | WANTS(EVENT_BARRIER) |
                 WANTS(EVENT_BARRIER_DONE) | WANTS(EVENT_FENCE) |
                 WANTS(EVENT_EXIT),
        .begin = on_begin,
        .block_begin = on_block_begin,
        .event = on_event,
        .block_turn = on_block_turn,
        .block_end = on_block_end,
        .end = on_end,
    };
    return &r->watcher;
}

void race_watcher_free(struct watcher *watcher)
{
    free(watcher);
}
