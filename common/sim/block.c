/* A block: its warps take turns until all have ended or none can go on.
 *
 * A warp runs until it waits, ends, or has used its slice.  A warp that loops
 * long is watched: if it comes back to a place with the same registers and
 * nothing was written in between, it spins, and only others can help it.  When every warp waits or spins, so does the
 * block (BLOCK_STUCK): launch.c decides whether another block can help. */
#include "sim/machine.h"

#include "base/random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE = 20000,
    PATIENCE = 256,      /* backward branches before a warp is watched */
    RELEASE_SLICES = 64, /* then lanes at joins go on without the others */
};

/* Bytes around the shared memory so that whole-warp copies may overlap. */
enum { MARGIN = 256 };

void event_send(struct block *b, struct event *ev)
{
    const struct listeners *all = &b->machine->listeners[ev->kind];
    ev->block = b->index;
    ev->shared = b->shared;
    for (int k = 0; k < all->count; k++) {
        const struct listener *l = &all->items[k];
        if (b->watch[l->index] != BLOCK_UNWATCHED)
            l->event(l->watcher, b->watch[l->index], ev);
    }
}

void stop_note(struct block *b, enum launch_stop kind,
               const struct ptx_function *function, const struct ptx_insn *insn,
               const char *format, ...)
{
    if (b->stop && (b->stop->kind != STOP_FAULT || kind == STOP_FAULT))
        return; /* the first one tells most */
    if (!b->stop)
        b->stop = checked_alloc(sizeof *b->stop);
    char where[200] = "";
    if (insn)
        ptx_where(function, insn, where, sizeof where);
    int n = snprintf(b->stop->text, sizeof b->stop->text, "%s: ", where);
    va_list args;
    va_start(args, format);
    vsnprintf(b->stop->text + n, sizeof b->stop->text - (size_t)n, format,
              args);
    va_end(args);
    b->stop->kind = kind;
    b->stop->function = function;
    b->stop->insn = insn;
}

struct block *block_new(struct machine *m)
{
    struct block *b = checked_alloc(sizeof *b);
    b->machine = m;
    b->warp_count = m->info.warps_per_block;
    b->watch =
        checked_alloc(sizeof(void *) * (size_t)(m->launch->watcher_count + 1));
    if (m->launch->order == ORDER_RANDOM)
        b->warp_order = checked_alloc(b->warp_count * sizeof(uint32_t));
    return b;
}

void block_free(struct block *b)
{
    free(b->log);
    free(b->output);
    free(b->stop);
    free(b->watch);
    free(b->warp_order);
    free(b);
}

struct body *body_new(const struct machine *m)
{
    struct body *body = checked_alloc(sizeof *body);
    body->warps = checked_alloc(m->info.warps_per_block * sizeof *body->warps);
    body->shared =
        (uint8_t *)checked_alloc(m->info.shared_bytes + 2 * MARGIN) + MARGIN;
    return body;
}

uint64_t body_bytes(const struct machine *m)
{
    uint64_t most = 0;
    for (int i = 0; i < m->image->code_count; i++)
        if (m->image->codes[i]->frame_bytes > most)
            most = m->image->codes[i]->frame_bytes;
    return most * m->info.warps_per_block + m->info.shared_bytes +
           (uint64_t)m->image->local_bytes * m->info.threads_per_block + 1;
}

void body_free(const struct machine *m, struct body *body)
{
    for (uint32_t i = 0; i < m->info.warps_per_block; i++) {
        copies_forget(&body->warps[i]);
        free(body->warps[i].spin.regs);
    }
    while (body->all_frames) {
        struct frame *f = body->all_frames;
        body->all_frames = f->next_all;
        free(f->regs);
        free(f);
    }
    free(body->warps);
    free(body->shared - MARGIN);
    free(body->local);
    free(body);
}

void block_take_body(struct block *b, struct body *body)
{
    b->body = body;
    b->warps = body->warps;
    b->shared = body->shared;
    b->local = body->local;
    b->all_frames = body->all_frames;
    for (uint32_t i = 0; i < b->warp_count; i++)
        b->warps[i].block = b;
}

struct body *block_give_body(struct block *b)
{
    struct body *body = b->body;
    body->local = b->local;
    body->all_frames = b->all_frames;
    b->body = NULL;
    b->warps = NULL;
    b->shared = b->local = NULL;
    b->all_frames = b->free_frames = NULL;
    return body;
}

static void warp_start(struct warp *w, uint32_t index, uint32_t lanes)
{
    struct block *b = w->block;
    w->index = index;
    w->live = lanes;
    w->carry = 0;
    w->split_count = 1;
    w->spinning = false;
    w->slices = 0;
    w->patience = PATIENCE;
    w->spin.pc = -1;
    memset(w->came, 0, sizeof w->came);
    copies_forget(w);
    for (int j = 0; j < MAX_JOINS; j++)
        w->joins[j].used = false;
    w->splits[0] =
        (struct split){.mask = lanes,
                       .join = -1,
                       .barrier = -1,
                       .frame = frame_new(b, b->machine->image->codes[0])};
    w->splits[0].frame->lanes = lanes;
}

static void shuffle_warps(struct block *b)
{
    struct random r = {random_at(b->machine->launch->seed, b->index)};
    for (uint32_t i = 0; i < b->warp_count; i++) {
        uint32_t j = (uint32_t)random_below(&r, i + 1);
        b->warp_order[i] = b->warp_order[j];
        b->warp_order[j] = i;
    }
}

/* Local memory is again what nobody wrote; only what was is touched. */
static void clean_local(struct block *b)
{
    size_t bytes = b->machine->image->local_bytes;
    for (uint32_t t = 0; b->local && t < b->machine->info.threads_per_block;
         t++) {
        size_t high = (b->warps[t / WARP_LANES].local_high + 15) & ~15u;
        garbage_fill(b->machine, GARBAGE_LOCAL, b->local + bytes * t,
                     high < bytes ? high : bytes);
    }
    for (uint32_t i = 0; i < b->warp_count; i++)
        b->warps[i].local_high = 0;
}

void block_start(struct block *b, uint64_t index)
{
    struct machine *m = b->machine;
    const uint32_t *grid = m->launch->grid;
    b->index = index;
    b->ctaid[0] = (uint32_t)(index % grid[0]);
    b->ctaid[1] = (uint32_t)(index / grid[0] % grid[1]);
    b->ctaid[2] = (uint32_t)(index / grid[0] / grid[1]);
    b->live_threads = m->info.threads_per_block;
    b->mode = MODE_APART;
    b->state = BLOCK_RUNNING;
    b->had_turn = false;
    b->next_warp = 0;
    b->instructions = b->thread_instructions = b->changes = 0;
    b->refused = 0;
    b->log_bytes = b->output_length = 0;
    b->log_low = UINT64_MAX;
    b->log_high = 0;
    for (int k = 0; k < MAX_BARRIERS; k++)
        b->barriers[k] = (struct block_barrier){.all = true};
    garbage_fill(m, GARBAGE_SHARED, b->shared, m->info.shared_bytes);
    clean_local(b);
    b->frame_bytes = 0;
    b->free_frames = NULL; /* a launch given up may have left some in use */
    for (struct frame *f = b->all_frames; f; f = f->next_all) {
        f->caller = b->free_frames;
        b->free_frames = f;
    }
    for (uint32_t i = 0; i < b->warp_count; i++)
        warp_start(&b->warps[i], i,
                   i + 1 == b->warp_count ? m->last_lanes : ALL_LANES);
    if (b->warp_order)
        shuffle_warps(b);
}

static int ready_split(const struct warp *w)
{
    for (int s = w->split_count - 1; s >= 0; s--)
        if (w->splits[s].state == SPLIT_READY)
            return s;
    return -1;
}

/* No split is ready: is there something to be done inside the warp? */
static bool warp_unlock(struct warp *w)
{
    return sync_resolve(w) || barrier_meet(w);
}

/* Moves split s behind the others, so that each gets its slices. */
static void rotate_splits(struct warp *w, int s)
{
    struct split spinning = w->splits[s];
    memmove(&w->splits[1], &w->splits[0], (size_t)s * sizeof w->splits[0]);
    w->splits[0] = spinning;
}

static uint64_t all_changes(const struct block *b)
{
    return b->changes + b->machine->changes + b->log_bytes;
}

/* Split s spins.  Lanes of its own warp may be what it waits for: those that
 * stand at a join are let go, those that are ready get their turn.  False:
 * all that is left of the warp spins. */
static bool warp_help(struct warp *w, int s)
{
    uint64_t changes = all_changes(w->block);
    if (w->spin.streak_changes != changes)
        w->spin.streak = 0;
    w->spin.streak_changes = changes;
    w->spin.pc = -1;
    if (split_release(w))
        w->spin.streak = 0;
    int ready = 0;
    for (int k = 0; k < w->split_count; k++)
        ready += w->splits[k].state == SPLIT_READY;
    rotate_splits(w, s);
    if (ready > 1 && w->spin.streak++ < ready)
        return true;
    return false;
}

/* Has split s the registers and place it had when last noted, with nothing
 * written since?  Called at backward branches of a watched warp. */
bool block_same_state(struct warp *w, int s)
{
    struct spin *spin = &w->spin;
    const struct split *split = &w->splits[s];
    const struct frame *f = split->frame;
    uint64_t changes = all_changes(w->block);
    uint32_t bytes = f->code->frame_bytes;
    if (spin->pc == split->pc && spin->mask == split->mask &&
        spin->serial == f->serial && spin->changes == changes &&
        spin->carry == w->carry && !memcmp(spin->regs, f->regs, bytes))
        return true;
    if (spin->pc >= 0 && spin->pc != split->pc && spin->changes == changes &&
        spin->age++ < 64)
        return false; /* an inner loop; wait for the noted place again */
    if (spin->capacity < bytes) {
        free(spin->regs);
        spin->regs = checked_alloc(bytes);
        spin->capacity = bytes;
    }
    memcpy(spin->regs, f->regs, bytes);
    spin->pc = split->pc;
    spin->mask = split->mask;
    spin->serial = f->serial;
    spin->carry = w->carry;
    spin->changes = changes;
    spin->age = 0;
    return false;
}

/* A launch with a small budget has small slices, so that it holds. */
static int64_t warp_slice(const struct block *b)
{
    uint64_t budget = b->machine->launch->budget, share = SLICE;
    if (budget && budget / b->warp_count < SLICE)
        share = budget / b->warp_count + 1;
    return (int64_t)share;
}

/* Runs one warp for up to a slice.  False: the block must stop or wait. */
static bool warp_run(struct warp *w, split_run_fn *run, bool *worked)
{
    struct block *b = w->block;
    int64_t slice = warp_slice(b);
    w->spinning = false;
    w->spin.pc = -1;
    w->spin.streak = 0;
    while (w->live && slice > 0) {
        int s = ready_split(w);
        if (s < 0 && !warp_unlock(w))
            return true;
        *worked = true;
        if (s < 0)
            continue;
        switch (run(w, s, &slice)) {
        case RUN_NEEDS_TURN: b->state = BLOCK_NEEDS_TURN; return false;
        case RUN_STOPPED: b->state = BLOCK_STOPPED; return false;
        case RUN_SPINS:
            w->patience = 4;
            if (!warp_help(w, s)) {
                w->spinning = true;
                return true;
            }
            break;
        case RUN_SLICE:
            if (++w->slices % RELEASE_SLICES == 0)
                split_release(w);
            rotate_splits(w, s);
            break;
        case RUN_CHANGED: w->patience = PATIENCE; break;
        }
    }
    return true;
}

/* One round over all warps.  Returns false if the block stopped or waits. */
static bool round_run(struct block *b, split_run_fn *run, bool *worked,
                      bool *busy)
{
    uint32_t start = b->next_warp;
    for (uint32_t k = start; k < b->warp_count; k++) {
        struct warp *w = &b->warps[b->warp_order ? b->warp_order[k] : k];
        b->next_warp = k;
        if (!w->live)
            continue;
        if (!warp_run(w, run, worked))
            return false;
        if (w->live && ready_split(w) >= 0 && !w->spinning)
            *busy = true;
    }
    b->next_warp = 0;
    return true;
}

static bool only_spins(const struct block *b)
{
    for (uint32_t i = 0; i < b->warp_count; i++) {
        const struct warp *w = &b->warps[i];
        if (w->live && ready_split(w) >= 0 && !w->spinning)
            return false;
    }
    return true;
}

static enum block_state block_now_stuck(struct block *b)
{
    b->stuck_changes = b->machine->changes;
    return b->state = BLOCK_STUCK;
}

enum block_state block_run(struct block *b)
{
    split_run_fn *run = exec_pick();
    uint64_t start = b->instructions;
    uint64_t slice = (uint64_t)SLICE * b->warp_count * 4;
    uint64_t budget = b->machine->launch->budget;
    if (budget && slice > budget)
        slice = budget;
    b->state = BLOCK_RUNNING;
    const volatile int *cancel = b->machine->launch->cancel;
    while (b->live_threads && !(cancel && *cancel)) {
        uint64_t before = all_changes(b);
        bool worked = false, busy = false;
        bool is_whole = b->next_warp == 0; /* or the rest of one cut short */
        if (!round_run(b, run, &worked, &busy))
            return b->state;
        if (!b->live_threads)
            break;
        bool changed = before != all_changes(b);
        if (is_whole && (!worked || (!changed && !busy && only_spins(b))))
            return block_now_stuck(b);
        if (b->mode == MODE_APART ? b->instructions > b->apart_limit
                                  : b->instructions - start > slice)
            return b->state = BLOCK_SLICE_USED;
    }
    return b->state = b->live_threads ? BLOCK_SLICE_USED : BLOCK_DONE;
}
