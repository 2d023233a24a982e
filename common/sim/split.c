/* Lanes part and meet again.
 *
 * A warp is a set of splits: lanes at one place.  When a branch sends lanes
 * of a split two ways, a join is noted for the place where the ways meet (the
 * immediate postdominator); splits that arrive there wait until all lanes of
 * the join have come or exited, and go on as one.  That is what the
 * convergence barriers of Volta and later do.  But waiting is a wish, not a
 * law: when the others only spin, split_release lets the waiting lanes go on
 * alone, so that a lane can wait for what another lane of its warp has still
 * to do (a stack of masks would hang there). */
#include "sim/machine.h"

#include <assert.h>

void split_remove(struct warp *w, int s)
{
    w->splits[s] = w->splits[--w->split_count];
}

int split_part(struct warp *w, int s, uint32_t lanes)
{
    assert(w->split_count < WARP_LANES && lanes);
    assert((lanes & ~w->splits[s].mask) == 0);
    int n = w->split_count++;
    w->splits[n] = w->splits[s];
    w->splits[n].mask = lanes;
    w->splits[s].mask &= ~lanes;
    return n;
}

static int join_new(struct warp *w)
{
    for (int j = 0; j < MAX_JOINS; j++)
        if (!w->joins[j].used)
            return j;
    return -1;
}

/* All lanes of join j are there: they become one split again, in place of
 * split s if s >= 0 (the one that came last), else as a new split. */
static void join_complete(struct warp *w, int j, int s)
{
    struct join *join = &w->joins[j];
    if (s < 0) {
        assert(w->split_count < WARP_LANES);
        s = w->split_count++;
        w->splits[s] = (struct split){.barrier = -1};
    }
    struct split *split = &w->splits[s];
    split->mask = join->arrived;
    split->pc = join->pc;
    split->frame = join->frame;
    split->join = join->parent;
    split->state = SPLIT_READY;
    split->resume = false;
    join->used = false;
}

bool split_arrive(struct warp *w, int s)
{
    for (;;) {
        struct split *split = &w->splits[s];
        if (split->join < 0)
            return true;
        int j = split->join;
        struct join *join = &w->joins[j];
        if (join->pc != split->pc || join->frame != split->frame)
            return true;
        join->arrived |= split->mask;
        if (join->arrived != join->expected) {
            split_remove(w, s);
            return false;
        }
        join_complete(w, j, s); /* the parent may meet at the same place */
    }
}

int split_join(struct warp *w, int s, int reconverge)
{
    struct split *split = &w->splits[s];
    if (split->join >= 0) {
        struct join *own = &w->joins[split->join];
        if (own->pc == reconverge && own->frame == split->frame)
            return split->join;
    }
    int j = join_new(w);
    if (j < 0) /* no room: the lanes meet further out */
        return split->join;
    w->joins[j] = (struct join){.pc = reconverge,
                                .frame = split->frame,
                                .expected = split->mask,
                                .parent = split->join,
                                .used = true};
    return split->join = j;
}

bool split_branch(struct warp *w, int s, uint32_t taken, int target,
                  int reconverge)
{
    struct split *split = &w->splits[s];
    uint32_t stay = split->mask & ~taken;
    int next = split->pc + 1;
    if (!stay || target == next) {
        split->pc = target;
        return true;
    }
    if (!taken) {
        split->pc = next;
        return true;
    }
    split_join(w, s, reconverge);
    int other = split_part(w, s, taken);
    w->splits[other].pc = target;
    split->pc = next;
    /* One side may already stand where they meet. */
    if (target == reconverge)
        split_arrive(w, other);
    else if (next == reconverge)
        return split_arrive(w, s);
    return true;
}

void split_branch_index(struct warp *w, int s, const uint32_t *index,
                        const struct code_insn *in)
{
    struct split *split = &w->splits[s];
    const uint32_t last = (uint32_t)in->insn->target_count - 1;
    uint32_t whole = split->mask;
    for (uint32_t left = whole; left;) {
        uint32_t which = index[lane_first(left)], same = 0;
        for (uint32_t m = left; m; m &= m - 1)
            if (index[lane_first(m)] == which)
                same |= 1u << lane_first(m);
        if (left == whole && same != whole)
            split_join(w, s, in->reconverge);
        left &= ~same;
        int part = left ? split_part(w, s, same) : s;
        w->splits[part].pc = in->targets[which < last ? which : last];
    }
}

/* Lanes will never come to join j. */
static void join_forget(struct warp *w, int j, uint32_t lanes)
{
    struct join *join = &w->joins[j];
    join->expected &= ~lanes;
    if (!join->expected)
        join->used = false;
    else if (join->arrived == join->expected)
        join_complete(w, j, -1);
}

void split_exit(struct warp *w, int s, uint32_t lanes)
{
    int join = w->splits[s].join;
    w->live &= ~lanes;
    w->splits[s].mask &= ~lanes;
    if (!w->splits[s].mask)
        split_remove(w, s);
    while (join >= 0) {
        int parent = w->joins[join].parent;
        join_forget(w, join, lanes);
        join = parent;
    }
}

void split_leave_frame(struct warp *w, uint32_t lanes, int *join,
                       const struct frame *frame)
{
    while (*join >= 0 && w->joins[*join].frame == frame) {
        int parent = w->joins[*join].parent;
        join_forget(w, *join, lanes);
        *join = parent;
    }
}

bool split_release(struct warp *w)
{
    bool any = false;
    for (int j = 0; j < MAX_JOINS; j++) {
        struct join *join = &w->joins[j];
        if (!join->used || !join->arrived)
            continue;
        uint32_t lanes = join->arrived;
        int s = w->split_count++;
        w->splits[s] = (struct split){.mask = lanes,
                                      .pc = join->pc,
                                      .frame = join->frame,
                                      .join = join->parent,
                                      .barrier = -1};
        join->arrived = 0;
        join->expected &= ~lanes;
        if (!join->expected)
            join->used = false;
        any = true;
    }
    return any;
}
