/* The race watcher: takes events and hands them to the clocks of the block and
 * to the memory they are about. */
#include "watch/race.h"

#include <stdlib.h>

static void on_access(struct race_block *b, const struct event *ev)
{
    if (ev->space == SPACE_SHARED)
        cells_access(b, ev);
    else if (ev->space == SPACE_GLOBAL)
        grid_access(b, ev);
}

static void on_fence(struct race_block *b, const struct event *ev)
{
    clocks_fence(&b->clocks, ev->warp, ev->active,
                 ev->insn->scope != SCOPE_CTA);
    grid_fence(b, ev);
}

static void on_event(struct watcher *watcher, void *state,
                     const struct event *ev)
{
    struct race_block *b = state;
    struct clocks *c = &b->clocks;
    (void)watcher;
    c->now++;
    switch (ev->kind) {
    case EVENT_LOAD:
    case EVENT_STORE:
    case EVENT_ATOMIC: on_access(b, ev); break;
    case EVENT_WARP_SYNC:
        clocks_meet(c, ev->warp, ev->active, ev->named);
        break;
    case EVENT_BARRIER:
        clocks_arrive(c, ev->warp, ev->barrier, ev->active, ev->named,
                      ev->insn->mode != MODE_ARRIVE);
        break;
    case EVENT_BARRIER_DONE:
        clocks_open(c, ev->warp, ev->barrier, ev->active, ev->named);
        break;
    case EVENT_FENCE: on_fence(b, ev); break;
    case EVENT_EXIT: clocks_exit(c, ev->warp, ev->active); break;
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
    clocks_init(&b->clocks, r->info->threads_per_block);
    cells_alloc(&b->cells, r->info->shared_bytes);
    return b;
}

static void *on_block_begin(struct watcher *watcher, uint64_t block)
{
    struct race *r = (struct race *)watcher;
    struct race_block *b = block_take(r);
    if (b->clocks.now > 0x70000000u) { /* the clock must not wrap */
        cells_clear(&b->cells);
        b->clocks.now = 0;
    }
    b->block = block;
    b->in_turn = false;
    clocks_begin(&b->clocks);
    cells_begin(&b->cells);
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

static void on_begin(struct watcher *watcher, const struct launch_info *info)
{
    struct race *r = (struct race *)watcher;
    r->info = info;
    r->grid = grid_new(r);
    race_find_facts(r);
}

static void on_end(struct watcher *watcher)
{
    struct race *r = (struct race *)watcher;
    while (r->all_blocks) {
        struct race_block *b = r->all_blocks;
        r->all_blocks = b->next;
        grid_free_block(b);
        clocks_free(&b->clocks);
        cells_free(&b->cells);
        free(b->told);
        free(b);
    }
    r->free_blocks = NULL;
    grid_free(r->grid);
    race_free_facts(r);
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
