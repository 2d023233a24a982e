/* Records become steps.  See trace.h.
 *
 * Each warp has its records in a row.  Of those that come next the one with
 * the lowest instruction is taken, together with the same instruction of all
 * other warps: so a warp in a loop catches up with those behind it.  A barrier
 * opens for all that wait in it at once. */
#include "base/arena.h"
#include "watch/trace.h"

#include <string.h>

enum { MAX_WARPS = 32 };

struct heads {
    const struct trace *trace;
    int *next_of;        /* by record: the next one of the same warp, or -1 */
    int head[MAX_WARPS]; /* -1: the warp has no more */
    int *members;        /* by opening: records that belong to it */
    int openings;
};

static void find_heads(struct heads *h, const struct trace *t, struct arena *a)
{
    h->trace = t;
    h->next_of = arena_array(a, (size_t)t->record_count + 1, sizeof(int));
    h->members = arena_array(a, (size_t)t->record_count + 1, sizeof(int));
    for (int w = 0; w < MAX_WARPS; w++)
        h->head[w] = -1;
    for (int k = t->record_count - 1; k >= 0; k--) {
        const struct trace_record *r = &t->records[k];
        h->next_of[k] = h->head[r->warp];
        h->head[r->warp] = k;
        if (r->opening >= 0)
            h->members[r->opening]++;
    }
}

static bool same_place(const struct trace_record *a,
                       const struct trace_record *b)
{
    return a->function == b->function && a->insn == b->insn &&
           a->kind == b->kind && a->opening == b->opening;
}

static bool comes_before(const struct trace_record *a,
                         const struct trace_record *b)
{
    if (a->function != b->function) /* the callee first */
        return !a->function->is_entry && b->function->is_entry;
    if (a->insn != b->insn)
        return a->insn < b->insn;
    return a->kind < b->kind;
}

/* A barrier opens only when all its warps stand there. */
static bool may_go(const struct heads *h, const struct trace_record *r)
{
    int here = 0;
    if (r->opening < 0)
        return true;
    for (int w = 0; w < MAX_WARPS; w++)
        here += h->head[w] >= 0 &&
                h->trace->records[h->head[w]].opening == r->opening;
    return here == h->members[r->opening];
}

static const struct trace_record *lowest(const struct heads *h)
{
    const struct trace_record *best = NULL;
    for (int w = 0; w < MAX_WARPS; w++) {
        if (h->head[w] < 0)
            continue;
        const struct trace_record *r = &h->trace->records[h->head[w]];
        if (may_go(h, r) && (!best || comes_before(r, best)))
            best = r;
    }
    return best;
}

static void order_in_step(struct trace *t, struct heads *h)
{
    int placed = 0;
    t->step_count = 0;
    while (placed < t->record_count) {
        const struct trace_record *best = lowest(h);
        if (!best) /* cannot be: the order of the simulator is one way */
            break;
        t->steps[t->step_count++] = placed;
        for (int w = 0; w < MAX_WARPS; w++) {
            int k = h->head[w];
            if (k < 0 || !same_place(&t->records[k], best))
                continue;
            t->order[placed++] = k;
            h->head[w] = h->next_of[k];
        }
    }
    t->steps[t->step_count] = placed;
}

/* A step each, but a barrier opens in one. */
static void order_as_made(struct trace *t)
{
    t->step_count = 0;
    for (int k = 0; k < t->record_count; k++) {
        int opening = t->records[k].opening;
        t->order[k] = k;
        if (k == 0 || opening < 0 || t->records[k - 1].opening != opening)
            t->steps[t->step_count++] = k;
    }
    t->steps[t->step_count] = t->record_count;
}

/* ---- would the loads read the same? ----------------------------------------------*/

static bool lanes_agree(const struct trace *t, const struct trace_record *r,
                        uint8_t *shared)
{
    bool is_load = r->kind == EVENT_LOAD;
    const uint8_t *value = r->kind == EVENT_ATOMIC ? r->after : r->value;
    if (r->space != SPACE_SHARED || !value || !r->address)
        return true;
    for (uint32_t m = r->active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        uint64_t at = r->address[i];
        if (at > t->shared_bytes || t->shared_bytes - at < r->size)
            continue;
        const uint8_t *lane = value + (size_t)i * r->size;
        if (!is_load)
            memcpy(shared + at, lane, r->size);
        else if (memcmp(shared + at, lane, r->size) != 0)
            return false;
    }
    return true;
}

static bool loads_agree(const struct trace *t, struct arena *a)
{
    uint8_t *shared = arena_alloc(a, (size_t)t->shared_bytes + 1);
    memset(shared, 0xff, t->shared_bytes);
    for (int k = 0; k < t->record_count; k++)
        if (!lanes_agree(t, &t->records[t->order[k]], shared))
            return false;
    return true;
}

void trace_make_steps(struct trace *t, struct arena *a)
{
    struct heads h;
    t->order = arena_array(a, (size_t)t->record_count + 1, sizeof(int));
    t->steps = arena_array(a, (size_t)t->record_count + 1, sizeof(int));
    find_heads(&h, t, a);
    order_in_step(t, &h);
    t->is_in_step =
        t->steps[t->step_count] == t->record_count && loads_agree(t, a);
    if (!t->is_in_step)
        order_as_made(t);
}
