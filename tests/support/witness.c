/* The watcher that looks at every field of every event; see witness.h. */
#include "tests/support/witness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one block's events have said so far. */
struct block_view {
    uint64_t block;
    uint32_t gone[32]; /* lanes that exited, by warp */
    bool had_turn;
    uint64_t issued, thread_issued, exits;
    uint64_t counts[EVENT_KINDS];
    uint64_t sum; /* of all that was looked at: nothing is optimised away */
};

struct witness {
    struct watcher watcher; /* first */
    const struct launch_info *info;
    uint64_t begun, ended; /* blocks; begun changes under the launch's lock */
    uint64_t threads;      /* of the whole grid */
    struct block_view all;
    bool over;
};

static void claim(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "an event breaks its promise: %s\n", what);
    abort();
}

static uint32_t lanes_of_warp(const struct witness *w, uint32_t warp)
{
    uint32_t rest = w->info->threads_per_block - warp * WARP_LANES;
    return rest >= WARP_LANES ? UINT32_MAX : (1u << rest) - 1;
}

/* ---- where and who ---------------------------------------------------------*/

static void look_at_place(const struct witness *w, const struct block_view *b,
                          const struct event *e)
{
    const struct ptx_function *f = e->function;
    bool is_known = false;
    for (int i = 0; i < w->info->function_count; i++)
        is_known |= w->info->functions[i] == f;
    claim(is_known, "the function is one of the launch");
    claim(e->insn >= f->insns && e->insn < f->insns + f->insn_count,
          "the instruction is one of the function");
    claim(e->block == b->block, "the block is the one of the state");
    claim(e->warp < w->info->warps_per_block, "the warp is in the block");
    claim((e->active & ~lanes_of_warp(w, e->warp)) == 0, "active lanes exist");
    claim((e->active & b->gone[e->warp]) == 0, "active lanes live");
    claim(e->active || e->kind == EVENT_GUARD || e->kind == EVENT_BRANCH,
          "some lane is active");
}

static void look_at_guard(const struct event *e)
{
    claim(e->issued && (e->active & ~e->issued) == 0,
          "lanes that pass a guard met it");
    claim(e->insn->guard >= 0 || e->kind == EVENT_BRANCH,
          "the instruction has a guard");
    claim((e->kind == EVENT_BRANCH) == (e->insn->op == OP_BRA),
          "branches tell of branches");
}

/* ---- memory ----------------------------------------------------------------*/

static uint64_t look_at_lanes(const struct event *e)
{
    uint64_t sum = 0;
    int first = __builtin_ctz(e->active);
    for (uint32_t m = e->active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        sum += e->address[i];
        if (e->value)
            sum += e->value[i];
        claim(!e->is_row || e->address[i] - e->address[first] ==
                                (uint64_t)(i - first) * e->size,
              "a row is a row");
    }
    return sum;
}

static uint64_t look_at_access(const struct event *e)
{
    claim(e->size >= 1 && e->size <= 32, "an access has 1 to 32 bytes");
    claim(e->space == SPACE_GLOBAL || e->space == SPACE_SHARED ||
              e->space == SPACE_LOCAL || e->space == SPACE_PARAM,
          "an access has a space");
    claim(e->is_atomic == (e->insn->op == OP_ATOM || e->insn->op == OP_RED),
          "atomics say so");
    claim(e->kind == EVENT_FAULT || e->is_write == (e->kind != EVENT_LOAD),
          "writes say so");
    claim(e->kind == EVENT_FAULT || e->is_atomic == (e->kind == EVENT_ATOMIC),
          "atomics are of their kind");
    claim(!e->value || e->kind == EVENT_STORE || e->kind == EVENT_FAULT,
          "stores have values");
    return look_at_lanes(e);
}

/* ---- all kinds -------------------------------------------------------------*/

static uint64_t look_at_words(const struct event *e)
{
    switch (e->kind) {
    case EVENT_FAULT:
        claim(e->fault >= FAULT_BOUNDS && e->fault <= FAULT_READ_ONLY,
              "a fault has a reason");
        return look_at_access(e);
    case EVENT_BAD_SYNC:
        claim(e->misuse >= MISUSE_CALLER_NOT_NAMED &&
                  e->misuse <= MISUSE_TWO_BARRIERS,
              "a misuse has a reason");
        return e->named;
    case EVENT_TRAP: claim(e->text != NULL, "a trap has words"); break;
    case EVENT_STUCK:
        claim(e->stuck >= STUCK_BARRIER && e->stuck <= STUCK_BUDGET,
              "being stuck has a reason");
        break;
    case EVENT_BARRIER:
    case EVENT_BARRIER_DONE:
        claim(e->barrier >= 0 && e->barrier < 16, "16 barriers");
        return e->named;
    default: break;
    }
    return e->text ? strlen(e->text) : 0;
}

static void look_at_run(struct block_view *b, const struct event *e)
{
    const struct ptx_function *f = e->function;
    claim(e->count >= 1, "a run has instructions");
    claim(e->times == 1, "who does not add up gets each run by itself");
    claim(e->insn + e->count <= f->insns + f->insn_count,
          "a run ends in the function");
    b->issued += e->count;
    b->thread_issued +=
        (uint64_t)e->count * (uint64_t)__builtin_popcount(e->active);
}

static void on_event(struct watcher *watcher, void *state,
                     const struct event *e)
{
    struct witness *w = (struct witness *)watcher;
    struct block_view *b = state;
    claim(e->kind >= EVENT_RUN && e->kind < EVENT_KINDS, "a kind");
    look_at_place(w, b, e);
    b->counts[e->kind]++;
    switch (e->kind) {
    case EVENT_RUN: look_at_run(b, e); break;
    case EVENT_ROWS: claim(false, "loads are not gathered"); break;
    case EVENT_GUARD:
    case EVENT_BRANCH: look_at_guard(e); break;
    case EVENT_LOAD:
    case EVENT_STORE:
    case EVENT_ATOMIC: b->sum += look_at_access(e); break;
    case EVENT_SHUFFLE:
        for (uint32_t m = e->active; m; m &= m - 1)
            claim(e->source[__builtin_ctz(m)] < WARP_LANES,
                  "a shuffle reads a lane");
        break;
    case EVENT_EXIT:
        b->gone[e->warp] |= e->active;
        b->exits += (uint64_t)__builtin_popcount(e->active);
        break;
    default: b->sum += look_at_words(e); break;
    }
}

/* ---- blocks ----------------------------------------------------------------*/

static void on_begin(struct watcher *watcher, const struct launch_info *info)
{
    struct witness *w = (struct witness *)watcher;
    w->info = info;
    w->threads = info->blocks * info->threads_per_block;
    claim(info->warps_per_block <= 32 && info->threads_per_block <= 1024,
          "a block has at most 1024 threads");
    claim(info->function_count >= 1, "the kernel is a function");
}

static void *on_block_begin(struct watcher *watcher, uint64_t block)
{
    struct witness *w = (struct witness *)watcher;
    struct block_view *b = calloc(1, sizeof *b);
    claim(b != NULL, "memory");
    claim(block < w->info->blocks, "the block is in the grid");
    b->block = block;
    w->begun++;
    return b;
}

static void on_block_turn(struct watcher *watcher, void *state)
{
    struct block_view *b = state;
    (void)watcher;
    claim(!b->had_turn, "a block's turn begins once");
    b->had_turn = true;
}

static void on_block_end(struct watcher *watcher, void *state, uint64_t block)
{
    struct witness *w = (struct witness *)watcher;
    struct block_view *b = state;
    claim(b->block == block, "a block ends with its own state");
    w->ended++;
    w->all.issued += b->issued;
    w->all.thread_issued += b->thread_issued;
    w->all.exits += b->exits;
    w->all.sum += b->sum;
    for (int k = 0; k < EVENT_KINDS; k++)
        w->all.counts[k] += b->counts[k];
    free(b);
}

static void on_end(struct watcher *watcher)
{
    struct witness *w = (struct witness *)watcher;
    claim(w->begun == w->ended, "every block that began has ended");
    w->over = true;
    w->info = NULL;
}

struct witness *witness_new(void)
{
    struct witness *w = calloc(1, sizeof *w);
    claim(w != NULL, "memory");
    w->watcher = (struct watcher){.name = "witness",
                                  .wants = (1u << EVENT_KINDS) - 1,
                                  .begin = on_begin,
                                  .block_begin = on_block_begin,
                                  .event = on_event,
                                  .block_turn = on_block_turn,
                                  .block_end = on_block_end,
                                  .end = on_end};
    return w;
}

struct watcher *witness_watcher(struct witness *w)
{
    return &w->watcher;
}

void witness_check(const struct witness *w, const struct launch_result *r)
{
    claim(w->over, "the launch came to its end");
    claim(w->all.issued == r->warp_instructions,
          "runs add up to the warp instructions");
    claim(w->all.thread_issued == r->thread_instructions,
          "runs add up to the thread instructions");
    if (r->stop == STOP_DONE && w->all.issued) /* not of an empty kernel */
        claim(w->all.exits == w->threads, "every thread has exited");
    claim((r->stop == STOP_DONE) == (r->message[0] == '\0'),
          "what did not end well says why");
}

uint64_t witness_count(const struct witness *w, enum event_kind kind)
{
    return w->all.counts[kind];
}

void witness_free(struct witness *w)
{
    free(w);
}
