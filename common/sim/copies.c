/* cp.async: copies from global to shared memory that arrive when their thread
 * waits for them, and not before (PTX ISA 9.7.9.25): who reads without a wait
 * sees what was there before.  A copy that nobody waits for never arrives, or
 * when too many are under way. */
#include "sim/machine.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COPIES = 64 }; /* of a warp under way */

/* One instruction of a warp. */
struct copy {
    struct copy *next;
    const struct ptx_function *function;
    const struct code_insn *in;
    uint32_t lanes;             /* that still wait for it */
    uint32_t group[WARP_LANES]; /* groups committed before, of each lane */
    uint64_t address[WARP_LANES];
    uint8_t *host[WARP_LANES];
    uint8_t data[WARP_LANES][16];
};

static void arrive(struct warp *w, struct copy *c, uint32_t lanes)
{
    struct event ev = {.kind = EVENT_STORE,
                       .function = c->function,
                       .insn = c->in->insn,
                       .warp = w->index,
                       .active = lanes,
                       .space = SPACE_SHARED,
                       .address = c->address,
                       .size = c->in->size,
                       .is_write = true};
    if (event_wanted(w->block, EVENT_STORE))
        event_send(w->block, &ev);
    w->block->changes++;
    for (uint32_t m = lanes; m; m &= m - 1) {
        int i = lane_first(m);
        memcpy(c->host[i], c->data[i], c->in->size);
    }
    c->lanes &= ~lanes;
}

static void remove_first(struct warp *w)
{
    struct copy *c = w->copies;
    w->copies = c->next;
    w->copy_count--;
    free(c);
}

void copies_add(struct warp *w, const struct ptx_function *function,
                const struct code_insn *in, uint32_t lanes,
                const uint64_t *address, uint8_t *const *host,
                uint8_t (*data)[16])
{
    struct copy *c = checked_alloc(sizeof *c), **end = &w->copies;
    if (w->copy_count == MOST_COPIES) {
        if (w->copies->lanes)
            arrive(w, w->copies, w->copies->lanes);
        remove_first(w);
    }
    c->function = function;
    c->in = in;
    c->lanes = lanes;
    memcpy(c->group, w->copy_groups, sizeof c->group);
    memcpy(c->address, address, sizeof c->address);
    memcpy(c->host, host, sizeof c->host);
    memcpy(c->data, data, sizeof c->data);
    while (*end)
        end = &(*end)->next;
    *end = c;
    w->copy_count++;
}

void copies_commit(struct warp *w, uint32_t lanes)
{
    for (uint32_t m = lanes; m; m &= m - 1)
        w->copy_groups[lane_first(m)]++;
}

void copies_wait(struct warp *w, uint32_t lanes, int64_t but)
{
    for (struct copy *c = w->copies; c; c = c->next) {
        uint32_t done = 0;
        for (uint32_t m = lanes & c->lanes; m; m &= m - 1) {
            int i = lane_first(m);
            if (but < 0 || c->group[i] + (uint64_t)but < w->copy_groups[i])
                done |= 1u << i;
        }
        if (done)
            arrive(w, c, done);
    }
    while (w->copies && !w->copies->lanes)
        remove_first(w);
}

void copies_forget(struct warp *w)
{
    while (w->copies)
        remove_first(w);
    memset(w->copy_groups, 0, sizeof w->copy_groups);
}
