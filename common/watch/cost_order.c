/* Loads move up.
 *
 * A compiler starts all loads of a straight piece of code before it uses the
 * first.  So between two places that nothing may cross (barriers, jumps,
 * atomics), what waits for a load goes behind what waits for none: steps are
 * put in order of how many loads, one after the other, they depend on.  Not
 * more than MAX_LOADS are under way: they need registers (a guess, that fits
 * a sum of 64 products, matrix_vector). */
#include "watch/cost_model.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_REGION = 128, MAX_DEPTH = 8, MAX_LOADS = 16 };

struct ordering {
    const struct cost *cost;
    uint8_t *depth;    /* of each register, in this region */
    uint32_t *touched; /* in which region it was last written */
    uint32_t region;
    struct cost_step kept[MAX_REGION];
};

static uint8_t depth_of(const struct ordering *o, uint16_t reg)
{
    return o->touched[reg] == o->region ? o->depth[reg] : 0;
}

/* Loads that a step waits for, `depth` at least; notes what its results wait
 * for. */
static uint8_t step_depth(struct ordering *o, const struct cost_step *s,
                          uint8_t depth)
{
    const struct cost_op *op = &o->cost->ops[s->op];
    bool is_load = s->pipe == PIPE_GLOBAL || s->pipe == PIPE_SHARED;

    for (int k = 0; k < op->source_count; k++)
        if (depth_of(o, op->source[k]) > depth)
            depth = depth_of(o, op->source[k]);
    /* A result that is there already must not be overtaken. */
    for (int k = 0; k < op->result_count; k++)
        if (depth_of(o, op->result[k]) > depth)
            depth = depth_of(o, op->result[k]);
    if (depth >= MAX_DEPTH)
        depth = MAX_DEPTH - 1;
    for (int k = 0; k < op->result_count; k++) {
        o->touched[op->result[k]] = o->region;
        o->depth[op->result[k]] = (uint8_t)(depth + is_load);
    }
    return depth;
}

static void order_region(struct ordering *o, struct cost_step *steps,
                         uint32_t count)
{
    uint8_t depth[MAX_REGION], deepest = 0, batch = 0;
    uint32_t at = 0, loads = 0;

    o->region++;
    for (uint32_t i = 0; i < count; i++) {
        bool is_load = steps[i].pipe == PIPE_GLOBAL && !steps[i].is_store;
        loads += is_load;
        if (is_load && loads % MAX_LOADS == 0 && batch < MAX_DEPTH - 2)
            batch++;
        depth[i] = step_depth(o, &steps[i], batch);
        if (depth[i] > deepest)
            deepest = depth[i];
    }
    if (!deepest)
        return;
    memcpy(o->kept, steps, count * sizeof *steps);
    for (uint8_t d = 0; d <= deepest; d++)
        for (uint32_t i = 0; i < count; i++)
            if (depth[i] == d)
                steps[at++] = o->kept[i];
}

void order_steps(const struct cost *c, struct cost_warp *w)
{
    struct ordering *o = checked_alloc(sizeof *o);
    uint32_t first = 0;

    o->cost = c;
    o->depth = checked_alloc(c->register_count + 1);
    o->touched = checked_alloc((c->register_count + 1) * sizeof *o->touched);
    for (uint32_t i = 0; i <= w->count; i++) {
        bool is_bound = i == w->count || c->ops[w->steps[i].op].how.is_bound;
        if (!is_bound && i - first < MAX_REGION)
            continue;
        order_region(o, w->steps + first, i - first);
        first = is_bound ? i + 1 : i;
    }
    free(o->depth);
    free(o->touched);
    free(o);
}
