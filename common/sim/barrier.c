/* Block barriers: bar and barrier (PTX ISA 9.7.13.1).
 *
 * A barrier counts threads.  Without a count it opens when all threads of the
 * block that have not exited are there; with one, when that many have come,
 * where a whole warp counts as 32.  The aligned forms (bar.*) want whole
 * warps: a warp that comes in parts first meets at the instruction; if the
 * rest of it can never come, that is a misuse, and the parts count alone. */
#include "sim/machine.h"

static const struct code_insn *insn_at(const struct split *split)
{
    return &split->frame->code->insns[split->pc];
}

static void send(struct warp *w, const struct split *split,
                 enum event_kind kind, uint32_t active, int id,
                 enum misuse_kind misuse)
{
    if (!event_wanted(w->block, kind))
        return;
    struct event ev = {.kind = kind,
                       .function = split->frame->code->function,
                       .insn = insn_at(split)->insn,
                       .warp = w->index,
                       .active = active,
                       .named = w->live,
                       .barrier = id,
                       .misuse = misuse};
    event_send(w->block, &ev);
}

/* The answer of barrier.red goes to one waiting split. */
static void give_answer(struct split *split, const struct block_barrier *bar)
{
    const struct code_insn *in = insn_at(split);
    if (in->insn->mode != MODE_RED)
        return;
    uint8_t *regs = split->frame->regs;
    if (in->insn->boolean == BOOL_POPC) {
        uint32_t *d = (uint32_t *)(regs + in->d);
        for (uint32_t m = split->mask; m; m &= m - 1)
            d[lane_first(m)] = bar->popc;
        return;
    }
    bool yes = in->insn->boolean == BOOL_AND ? bar->all : bar->any;
    uint32_t *p = (uint32_t *)(regs + in->d);
    *p = (*p & ~split->mask) | (yes ? split->mask : 0);
}

static void open_warp(struct warp *w, int id, const struct block_barrier *bar)
{
    uint32_t lanes = 0;
    struct split *last = NULL;
    for (int k = 0; k < w->split_count; k++) {
        struct split *split = &w->splits[k];
        if (split->state != SPLIT_AT_BARRIER || split->barrier != id)
            continue;
        give_answer(split, bar);
        lanes |= split->mask;
        last = split;
    }
    if (!last)
        return;
    send(w, last, EVENT_BARRIER_DONE, lanes, id, MISUSE_NONE);
    for (int k = 0; k < w->split_count; k++) {
        struct split *split = &w->splits[k];
        if (split->state != SPLIT_AT_BARRIER || split->barrier != id)
            continue;
        split->state = SPLIT_READY;
        split->pc++;
    }
}

static bool barrier_open(struct block *b, int id)
{
    struct block_barrier *bar = &b->barriers[id];
    if (!bar->slots)
        return false;
    if (bar->expected ? bar->slots < bar->expected
                      : bar->threads < b->live_threads)
        return false;
    struct block_barrier done = *bar;
    *bar = (struct block_barrier){.all = true};
    for (uint32_t i = 0; i < b->warp_count; i++) {
        b->warps[i].came[id] = 0;
        open_warp(&b->warps[i], id, &done);
    }
    return true;
}

/* A warp whose lanes came one after the other counts as a whole one, once all
 * of them that live are there. */
static void complete_warp(struct warp *w, int id)
{
    uint32_t came = w->came[id];
    if (!came || (w->live & ~came))
        return;
    w->block->barriers[id].slots +=
        WARP_LANES - (uint32_t)__builtin_popcount(came);
    w->came[id] = 0;
}

void barrier_check(struct block *b)
{
    for (int id = 0; id < MAX_BARRIERS; id++) {
        if (!b->barriers[id].slots)
            continue;
        for (uint32_t i = 0; i < b->warp_count; i++)
            complete_warp(&b->warps[i], id);
        barrier_open(b, id);
    }
}

/* Lanes of split s arrive at barrier `id`; `whole` says that the warp comes
 * as one.  True if the split goes on (arrive does not wait). */
static bool arrive(struct warp *w, int s, int id, uint32_t expected, bool whole)
{
    struct block *b = w->block;
    struct split *split = &w->splits[s];
    const struct code_insn *in = insn_at(split);
    struct block_barrier *bar = &b->barriers[id];
    uint32_t lanes = split->mask;
    send(w, split, EVENT_BARRIER, lanes, id, MISUSE_NONE);
    if (!bar->slots) {
        bar->first = in;
        bar->expected = expected;
    } else if (bar->first != in && in->insn->mode != MODE_ARRIVE &&
               bar->first->insn->mode != MODE_ARRIVE &&
               bar->first->insn->line != in->insn->line) {
        send(w, split, EVENT_BAD_SYNC, lanes, id, MISUSE_TWO_BARRIERS);
    }
    bar->threads += (uint32_t)__builtin_popcount(lanes);
    bar->slots += whole ? WARP_LANES : (uint32_t)__builtin_popcount(lanes);
    if (!whole) {
        w->came[id] |= lanes;
        complete_warp(w, id);
    }
    if (in->insn->mode == MODE_RED) {
        uint32_t yes = predicate_of(&in->p, split->frame->regs) & lanes;
        bar->popc += (uint32_t)__builtin_popcount(yes);
        bar->any |= yes != 0;
        bar->all &= yes == lanes;
    }
    if (in->insn->mode == MODE_ARRIVE) {
        split->pc++;
        barrier_open(b, id);
        return true;
    }
    split->state = SPLIT_AT_BARRIER;
    split->barrier = id;
    barrier_open(b, id);
    return false;
}

/* Barrier number and thread count of lane i: sources 0 and 1. */
static int barrier_id(const struct split *split, int i)
{
    const uint32_t *a =
        (const uint32_t *)place_of(insn_at(split), split->frame->regs, 0);
    return (int)(a[i] & (MAX_BARRIERS - 1));
}

bool barrier_number_good(struct warp *w, int s, const struct code_insn *in)
{
    const struct split *split = &w->splits[s];
    const uint32_t *a = (const uint32_t *)place_of(in, split->frame->regs, 0);
    uint32_t lanes = split->mask;
    if (in->constants & 1) /* all lanes name the same */
        lanes &= -lanes;
    for (uint32_t m = lanes; m; m &= m - 1)
        if (a[lane_first(m)] >= MAX_BARRIERS) {
            stop_note(w->block, STOP_TRAP, split->frame->code->function,
                      in->insn,
                      "thread %u of block %llu names barrier %u; there are "
                      "%d, from 0 on",
                      w->index * WARP_LANES + (uint32_t)lane_first(m),
                      (unsigned long long)w->block->index, a[lane_first(m)],
                      MAX_BARRIERS);
            return false;
        }
    return true;
}

static uint32_t barrier_count(const struct split *split, int i)
{
    const struct code_insn *in = insn_at(split);
    if (in->vector < 2) /* no count given */
        return 0;
    return ((const uint32_t *)place_of(in, split->frame->regs, 1))[i];
}

/* Lanes of one split that name different barriers part ways. */
static bool arrive_by_id(struct warp *w, int s, bool whole)
{
    struct split *split = &w->splits[s];
    int first = lane_first(split->mask), id = barrier_id(split, first);
    bool same = insn_at(split)->constants & 1;
    uint32_t others = 0;
    for (uint32_t m = same ? 0 : split->mask; m; m &= m - 1)
        if (barrier_id(split, lane_first(m)) != id)
            others |= 1u << lane_first(m);
    if (others)
        split_part(w, s, others);
    return arrive(w, s, id, barrier_count(&w->splits[s], first),
                  whole && !others);
}

bool barrier_arrive(struct warp *w, int s, const struct code_insn *in)
{
    struct split *split = &w->splits[s];
    bool whole = split->mask == w->live;
    if (!whole && (in->insn->flags & FLAG_ALIGNED)) {
        split->state = SPLIT_MEETING;
        return false;
    }
    return arrive_by_id(w, s, whole);
}

bool barrier_meet(struct warp *w)
{
    int first = -1;
    uint32_t together = 0;
    for (int s = 0; s < w->split_count; s++) {
        struct split *split = &w->splits[s];
        if (split->state != SPLIT_MEETING)
            continue;
        if (first < 0)
            first = s;
        if (split->pc == w->splits[first].pc &&
            split->frame == w->splits[first].frame)
            together |= split->mask;
    }
    if (first < 0)
        return false;
    bool all = together == w->live;
    if (!all)
        send(w, &w->splits[first], EVENT_BAD_SYNC, together,
             barrier_id(&w->splits[first], lane_first(together)),
             MISUSE_NOT_CONVERGED);
    int pc = w->splits[first].pc;
    const struct frame *frame = w->splits[first].frame;
    for (int s = 0; s < w->split_count; s++) {
        struct split *split = &w->splits[s];
        if (split->state != SPLIT_MEETING || split->pc != pc ||
            split->frame != frame)
            continue;
        split->state = SPLIT_READY;
        arrive_by_id(w, s, false);
    }
    if (!all)
        split_release(w);
    return true;
}
