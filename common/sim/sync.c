/* Warp-wide operations: shfl, vote, match, redux, elect, bar.warp.sync
 * (PTX ISA 9.7.9.6 shfl.sync, 9.7.13 parallel synchronization).
 *
 * Each lane names the lanes it will meet (the membermask).  A lane waits
 * until all named lanes that have not exited stand at the same instruction
 * with the same mask; lanes that exited are not waited for, as on hardware.
 * Lanes that wait for lanes which can never come are told so (EVENT_BAD_SYNC)
 * and then go on, so that the student sees the rest of the run too. */
#include "sim/machine.h"

#include <string.h>

static void report(struct warp *w, const struct split *split,
                   const struct code_insn *in, enum misuse_kind misuse,
                   uint32_t active, uint32_t named, uint32_t mask)
{
    if (!event_wanted(w->block, EVENT_BAD_SYNC))
        return;
    struct event ev = {.kind = EVENT_BAD_SYNC,
                       .function = split->frame->code->function,
                       .insn = in->insn,
                       .warp = w->index,
                       .active = active,
                       .named = named,
                       .issued = mask,
                       .misuse = misuse};
    event_send(w->block, &ev);
}

/* The mask each lane names; bar.warp.sync and friends hold it in the last
 * source.  Forms without .sync name whoever is there. */
static void named_masks(const struct split *split, const struct code_insn *in,
                        uint32_t active, uint32_t *named)
{
    if (in->exec != X_WARP_SYNC && !(in->insn->flags & FLAG_SYNC)) {
        for (int i = 0; i < WARP_LANES; i++)
            named[i] = active;
        return;
    }
    memcpy(named, place_of(in, split->frame->regs, 3), 4 * WARP_LANES);
}

/* ---- the operations, for lanes that are all there ------------------------ */

/* Lanes that name the same mask, from the first of `lanes` on. */
static uint32_t first_group(const uint32_t *named, uint32_t lanes)
{
    uint32_t group = 0, mask = named[lane_first(lanes)];
    for (int i = 0; i < WARP_LANES; i++)
        group |= (uint32_t)(named[i] == mask) << i;
    return group & lanes;
}

static void give_values(uint32_t *d, const uint32_t *value, uint32_t active)
{
    for (int i = 0; i < WARP_LANES; i++)
        d[i] = active >> i & 1 ? value[i] : d[i];
}

/* The lane that lane i reads (9.7.9.6), its own one if that is out of range;
 * *good is what the predicate says. */
static int source_lane(enum ptx_mode mode, int i, uint32_t b, uint32_t c,
                       bool *good)
{
    int segment = (c >> 8) & 31, clamp = c & 31;
    int low = i & segment, high = low | (clamp & ~segment & 31);
    int step = b & 31;
    int j = mode == MODE_UP     ? i - step
            : mode == MODE_DOWN ? i + step
            : mode == MODE_BFLY ? i ^ step
                                : low | (step & ~segment);
    *good = mode == MODE_UP ? j >= high : j <= high;
    return *good ? j : i;
}

void sync_shuffle_plan(enum ptx_mode mode, const uint32_t *b, const uint32_t *c,
                       struct shuffle_plan *plan)
{
    plan->in_range = 0;
    for (int i = 0; i < WARP_LANES; i++) {
        bool good;
        plan->source[i] = (uint8_t)source_lane(mode, i, b[i], c[i], &good);
        plan->in_range |= (uint32_t)good << i;
    }
}

/* The lanes that lane i reads and that do not take part; they get garbage. */
static uint32_t absent_sources(const struct warp *w, const uint8_t *source,
                               uint32_t active, const uint32_t *named,
                               uint32_t *value)
{
    uint32_t absent = 0, all = active;
    for (int i = 0; i < WARP_LANES; i++)
        all &= named[i];
    for (uint32_t m = all == ALL_LANES ? 0 : active; m; m &= m - 1) {
        int i = lane_first(m), j = source[i];
        if (((active & named[i]) >> j & 1) || j == i)
            continue;
        absent |= 1u << i;
        value[i] = garbage_word(w->block->machine, GARBAGE_LANES, GARBAGE32);
    }
    return absent;
}

static void perform_shuffle(struct warp *w, struct split *split,
                            const struct code_insn *in, uint32_t active,
                            const uint32_t *named)
{
    uint8_t *regs = split->frame->regs;
    const uint32_t *a = (const uint32_t *)place_of(in, regs, 0);
    const uint32_t *b = (const uint32_t *)place_of(in, regs, 1);
    const uint32_t *c = (const uint32_t *)place_of(in, regs, 2);
    uint32_t *d = (uint32_t *)(regs + in->d);
    uint32_t value[WARP_LANES];
    struct shuffle_plan own;
    const struct shuffle_plan *plan = in->shuffle;
    if (!plan) {
        sync_shuffle_plan(in->insn->mode, b, c, &own);
        plan = &own;
    }
    for (int i = 0; i < WARP_LANES; i++)
        value[i] = a[plan->source[i]];
    uint32_t absent = absent_sources(w, plan->source, active, named, value);
    if (event_wanted(w->block, EVENT_SHUFFLE)) {
        struct event ev = {.kind = EVENT_SHUFFLE,
                           .function = split->frame->code->function,
                           .insn = in->insn,
                           .warp = w->index,
                           .active = active,
                           .source = plan->source,
                           .operand = value,
                           .named = named[lane_first(active)]};
        event_send(w->block, &ev);
    }
    if (absent)
        report(w, split, in, MISUSE_SOURCE_ABSENT, absent,
               named[lane_first(absent)], named[lane_first(absent)]);
    give_values(d, value, active);
    if (in->d2.sink)
        return;
    uint32_t *p = (uint32_t *)(regs + in->d2.at);
    *p = (*p & ~active) | (plan->in_range & active);
}

/* Lanes of `group` hold the same 4- or 8-byte value as lane `i`. */
static uint32_t same_value(const uint8_t *a, int bytes, int i, uint32_t group)
{
    uint32_t same = 0;
    for (uint32_t m = group; m; m &= m - 1) {
        int j = lane_first(m);
        if (!memcmp(a + (size_t)j * (size_t)bytes,
                    a + (size_t)i * (size_t)bytes, (size_t)bytes))
            same |= 1u << j;
    }
    return same;
}

static uint32_t reduce_lanes(const struct code_insn *in, const uint32_t *a,
                             uint32_t group)
{
    uint32_t value = a[lane_first(group)];
    for (uint32_t m = group & (group - 1); m; m &= m - 1)
        value = (uint32_t)in->atomic(value, a[lane_first(m)], 0);
    return value;
}

/* The answer for lane i, whose partners are `group`; *flag is the predicate
 * answer or the second destination's. */
static uint32_t collect_value(const struct code_insn *in, const uint8_t *regs,
                              int i, uint32_t group, uint32_t yes, bool *flag)
{
    const uint8_t *a = in->exec == X_MATCH || in->exec == X_REDUX
                           ? place_of(in, (uint8_t *)(uintptr_t)regs, 0)
                           : NULL;
    uint32_t same;
    switch (in->exec) {
    case X_REDUX: return reduce_lanes(in, (const uint32_t *)a, group);
    case X_MATCH:
        same = same_value(a, in->a_bytes, i, group);
        if (in->insn->mode != MODE_ALL)
            return same;
        *flag = same == group;
        return *flag ? group : 0;
    case X_ELECT:
        *flag = i == lane_first(group);
        return (uint32_t)lane_first(group);
    default: /* vote */
        switch (in->insn->mode) {
        case MODE_ALL: *flag = (yes & group) == group; break;
        case MODE_ANY: *flag = (yes & group) != 0; break;
        case MODE_UNI:
            *flag = (yes & group) == group || (yes & group) == 0;
            break;
        default: break;
        }
        return yes & group;
    }
}

/* Lanes of `left` whose answer is that of the first one. */
static uint32_t same_answer(const struct code_insn *in, const uint32_t *named,
                            uint32_t left)
{
    if (in->exec == X_MATCH || in->exec == X_ELECT) /* each has its own */
        return left & (0 - left);
    return first_group(named, left);
}

static void perform_collect(struct warp *w, struct split *split,
                            const struct code_insn *in, uint32_t active,
                            const uint32_t *named)
{
    uint8_t *regs = split->frame->regs;
    uint32_t yes = in->exec == X_VOTE ? predicate_of(&in->p, regs) : 0;
    uint32_t flags = 0, value[WARP_LANES];
    if (event_wanted(w->block, EVENT_VOTE)) {
        struct event ev = {.kind = EVENT_VOTE,
                           .function = split->frame->code->function,
                           .insn = in->insn,
                           .warp = w->index,
                           .active = active,
                           .named = named[lane_first(active)]};
        event_send(w->block, &ev);
    }
    for (uint32_t left = active; left;) {
        /* lanes that get the same answer are answered at once */
        int i = lane_first(left);
        bool flag = false;
        uint32_t alike = same_answer(in, named, left);
        uint32_t answer = collect_value(
            in, regs, i, (named[i] | 1u << i) & active, yes & active, &flag);
        for (uint32_t m = alike; m; m &= m - 1)
            value[lane_first(m)] = answer;
        flags |= flag ? alike : 0;
        left &= ~alike;
    }
    if (in->d_bytes)
        give_values((uint32_t *)(regs + in->d), value, active);
    const struct slot *p = &in->d2;
    if (!p->sink) {
        uint32_t *to = (uint32_t *)(regs + p->at);
        *to = (*to & ~active) | (flags & active);
    }
}

/* Lanes met at a bar.warp.sync: an event for each mask, for each orders its
 * own lanes only. */
static void tell_met(struct warp *w, const struct split *split,
                     const struct code_insn *in, uint32_t active,
                     const uint32_t *named)
{
    while (active) {
        uint32_t group = first_group(named, active);
        struct event ev = {.kind = EVENT_WARP_SYNC,
                           .function = split->frame->code->function,
                           .insn = in->insn,
                           .warp = w->index,
                           .active = group,
                           .named = named[lane_first(group)]};
        event_send(w->block, &ev);
        active &= ~group;
    }
}

static void perform(struct warp *w, struct split *split,
                    const struct code_insn *in, uint32_t active,
                    const uint32_t *named)
{
    if (in->exec == X_SHUFFLE) {
        perform_shuffle(w, split, in, active, named);
    } else if (in->exec != X_WARP_SYNC) {
        perform_collect(w, split, in, active, named);
    } else if (event_wanted(w->block, EVENT_WARP_SYNC)) {
        tell_met(w, split, in, active, named);
    }
}

/* ---- waiting --------------------------------------------------------------*/

static const struct code_insn *insn_at(const struct split *split)
{
    return &split->frame->code->insns[split->pc];
}

/* Two waiting splits belong together: the same instruction (any bar.warp.sync
 * matches any other) and the same mask. */
static bool partners(const struct split *a, const struct split *b)
{
    if (b->state != SPLIT_AT_SYNC || a->named != b->named)
        return false;
    if (insn_at(a)->exec == X_WARP_SYNC)
        return insn_at(b)->exec == X_WARP_SYNC;
    return a->pc == b->pc && a->frame == b->frame;
}

static uint32_t present(const struct warp *w, const struct split *split)
{
    uint32_t lanes = 0;
    for (int k = 0; k < w->split_count; k++)
        if (partners(split, &w->splits[k]))
            lanes |= w->splits[k].mask;
    return lanes;
}

/* Does the operation for split s and all its partners; they go on. */
static void go_together(struct warp *w, int s)
{
    struct split first = w->splits[s];
    const struct code_insn *in = insn_at(&first);
    uint32_t lanes = present(w, &first), named[WARP_LANES];
    for (int i = 0; i < WARP_LANES; i++)
        named[i] = first.named;
    perform(w, &first, in, lanes, named);
    for (int k = 0; k < w->split_count; k++) {
        struct split *other = &w->splits[k];
        if (!partners(&first, other))
            continue;
        other->state = SPLIT_READY;
        other->pc++;
    }
}

/* Waiting splits whose partners are all there go on. */
static bool complete_groups(struct warp *w)
{
    bool any = false;
    for (int s = 0; s < w->split_count; s++) {
        struct split *split = &w->splits[s];
        if (split->state != SPLIT_AT_SYNC)
            continue;
        if ((split->named & w->live) & ~present(w, split))
            continue;
        go_together(w, s);
        any = true;
    }
    return any;
}

/* All lanes have all their partners right here. */
static bool all_here(const struct warp *w, const uint32_t *named,
                     uint32_t active)
{
    for (uint32_t left = active; left;) {
        uint32_t group = first_group(named, left);
        uint32_t mask = named[lane_first(group)];
        if ((mask & w->live) & ~group)
            return false;
        left &= ~group;
    }
    return true;
}

static void report_unnamed(struct warp *w, const struct split *split,
                           const struct code_insn *in, uint32_t *named,
                           uint32_t active)
{
    uint32_t bad = 0;
    for (uint32_t m = active; m; m &= m - 1) {
        int i = lane_first(m);
        if (named[i] >> i & 1)
            continue;
        bad |= 1u << i;
    }
    if (!bad)
        return;
    report(w, split, in, MISUSE_CALLER_NOT_NAMED, bad, named[lane_first(bad)],
           named[lane_first(bad)]);
    for (uint32_t m = bad; m; m &= m - 1) /* let them go on alone */
        named[lane_first(m)] = bad;
}

/* A lane names another that is right here, but that one names others: both
 * must give the same mask.  Each goes on with those that agree with it. */
static void report_differing(struct warp *w, const struct split *split,
                             const struct code_insn *in, uint32_t *named,
                             uint32_t active)
{
    uint32_t bad = 0;
    if (first_group(named, active) == active)
        return;
    for (uint32_t m = active; m; m &= m - 1) {
        int i = lane_first(m);
        for (uint32_t o = named[i] & active; o; o &= o - 1)
            if (named[lane_first(o)] != named[i])
                bad |= 1u << i;
    }
    if (!bad)
        return;
    uint32_t mask = named[lane_first(bad)];
    report(w, split, in, MISUSE_MASKS_DIFFER, bad, mask, mask);
    for (uint32_t left = bad; left;) {
        uint32_t group = first_group(named, left);
        for (uint32_t m = group; m; m &= m - 1)
            named[lane_first(m)] = group;
        left &= ~group;
    }
}

bool sync_do(struct warp *w, int s, const struct code_insn *in)
{
    struct split *split = &w->splits[s];
    uint32_t active = split->mask, named[WARP_LANES];
    named_masks(split, in, active, named);
    uint32_t mask = named[lane_first(active)];
    if ((mask & w->live) == active && first_group(named, active) == active) {
        perform(w, split, in, active, named); /* all is as it should be */
        return true;
    }
    report_unnamed(w, split, in, named, active);
    report_differing(w, split, in, named, active);
    if (all_here(w, named, active)) {
        perform(w, split, in, active, named);
        return true;
    }
    while (active) {
        uint32_t group = first_group(named, active);
        int part = group == w->splits[s].mask ? s : split_part(w, s, group);
        w->splits[part].state = SPLIT_AT_SYNC;
        w->splits[part].resume = false;
        w->splits[part].named = named[lane_first(group)];
        active &= ~group;
    }
    complete_groups(w);
    return false;
}

/* Lanes wait for lanes that stand at a join: those are let go, since they may
 * have a sync of their own ahead, or their end (then nobody waits for them any
 * more: hardware does not, whether they returned early or went round the
 * branch makes no difference to it). */
static bool release_for_sync(struct warp *w)
{
    bool wanted = false;
    for (int s = 0; s < w->split_count; s++) {
        struct split *split = &w->splits[s];
        if (split->state == SPLIT_AT_SYNC && !split->resume) {
            split->resume = true; /* once */
            wanted = true;
        }
    }
    return wanted && split_release(w);
}

bool sync_resolve(struct warp *w)
{
    if (complete_groups(w) || release_for_sync(w))
        return true;
    for (int s = 0; s < w->split_count; s++) {
        struct split *split = &w->splits[s];
        if (split->state != SPLIT_AT_SYNC)
            continue;
        uint32_t absent = split->named & w->live & ~present(w, split);
        report(w, split, insn_at(split), MISUSE_LANE_ABSENT, split->mask,
               absent, split->named);
        go_together(w, s);
        return true;
    }
    return false;
}

void sync_exited(struct warp *w)
{
    complete_groups(w);
}
