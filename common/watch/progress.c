/* Who cannot go on, and where.  See progress.h. */
#include "watch/progress.h"

#include "watch/name.h"

#include <stdio.h>
#include <string.h>

enum { PARTIES = 6 };

/* Threads of a block that stand at one place. */
struct party {
    const struct ptx_function *function;
    const struct ptx_insn *insn;
    enum stuck_kind stuck;
    uint32_t warp, lanes; /* the first of them */
    uint32_t warps;       /* further warps there */
};

struct progress_block {
    struct teller_block base; /* first */
    struct party parties[PARTIES];
    int count;
    bool more; /* than there is room for */
};

/* ---- traps ----------------------------------------------------------------*/

static bool fits(const struct launch_info *info)
{
    return info->blocks <= info->resident;
}

/* Does the function look for the workspace of grid.sync()? */
static bool has_grid_sync(const struct ptx_function *f)
{
    for (int i = 0; i < f->insn_count; i++)
        for (int k = 0; k < f->insns[i].operand_count; k++)
            if (f->insns[i].operand[k].kind == OPERAND_SPECIAL &&
                f->insns[i].operand[k].special == SR_ENVREG)
                return true;
    return false;
}

/* The libraries' grid.sync() traps when it has no workspace. */
static void say_no_grid_sync(struct teller *t, struct teller_block *b,
                             struct finding *f)
{
    teller_say(
        b, f, 1,
        "launch no more blocks than fit, and let each thread take "
        "several elements: i += gridDim.x * blockDim.x",
        "grid.sync() gives up: it needs a cooperative launch, which CUDA "
        "refuses for %llu blocks of %u threads; the GPU holds %u at "
        "once (block %llu)",
        (unsigned long long)t->info->blocks, t->info->threads_per_block,
        t->info->resident, (unsigned long long)b->block);
}

static void trapped(struct teller *t, struct teller_block *b,
                    const struct event *ev)
{
    char who[120];
    struct finding f = teller_place("trap", ev, NULL);
    if (teller_again(b, &f, 1))
        return;
    bool is_plain = !ev->text || !strcmp(ev->text, "trap");
    if (is_plain && !fits(t->info) && has_grid_sync(ev->function)) {
        say_no_grid_sync(t, b, &f);
        return;
    }
    name_threads(t->info, ev->warp, ev->active & -ev->active, who, sizeof who);
    teller_say(b, &f, 1,
               is_plain ? "something led to __trap(); on a GPU the whole "
                          "program fails here"
                        : "on a GPU the whole program fails here",
               "%s in %s (block %llu)",
               is_plain ? "the kernel gave up with a trap" : ev->text, who,
               (unsigned long long)b->block);
}

/* ---- stuck ----------------------------------------------------------------*/

static void is_stuck(struct progress_block *b, const struct event *ev)
{
    for (int i = 0; i < b->count; i++) {
        struct party *p = &b->parties[i];
        if (p->insn != ev->insn || p->stuck != ev->stuck)
            continue;
        if (p->warp == ev->warp)
            p->lanes |= ev->active;
        else
            p->warps++;
        return;
    }
    if (b->count == PARTIES) {
        b->more = true;
        return;
    }
    b->parties[b->count++] = (struct party){ev->function, ev->insn,   ev->stuck,
                                            ev->warp,     ev->active, 0};
}

/* Does the innermost loop around the instruction ask memory for something? */
static bool loop_reads(const struct ptx_function *f, const struct ptx_insn *at)
{
    int here = at ? (int)(at - f->insns) : -1, from = 0, to = -1;
    for (int i = here; i >= 0 && i < f->insn_count && to < 0; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        if (insn->op == OP_BRA && insn->operand[0].kind == OPERAND_LABEL &&
            insn->operand[0].target <= here) {
            from = insn->operand[0].target;
            to = i;
        }
    }
    for (int i = from; i <= to; i++)
        if (f->insns[i].op == OP_LD || f->insns[i].op == OP_ATOM ||
            f->insns[i].call)
            return true;
    return to < 0; /* no loop that we understand */
}

static bool spins_idly(const struct party *p)
{
    return p->stuck == STUCK_SPIN && !loop_reads(p->function, p->insn);
}

static const char *waiting(const struct party *p)
{
    if (spins_idly(p))
        return "in a loop that changes nothing and does not end";
    switch (p->stuck) {
    case STUCK_BARRIER: return "at a __syncthreads() for the rest of the block";
    case STUCK_WARP: return "for lanes of the warp that never come";
    case STUCK_SPIN: return "in a loop for something that can never change";
    default: return "in a loop";
    }
}

static void name_party(const struct teller *t, const struct party *p, char *to,
                       size_t size)
{
    char who[120];
    name_threads(t->info, p->warp, p->lanes, who, sizeof who);
    if (p->warps)
        snprintf(to, size, "%s and %u more warp%s", who, p->warps,
                 p->warps == 1 ? "" : "s");
    else
        snprintf(to, size, "%s", who);
}

static void add_others(const struct teller *t, const struct progress_block *b,
                       const struct party *main, char *to, size_t size)
{
    size_t used = 0;
    *to = '\0';
    for (int i = 0; i < b->count && used < size; i++) {
        const struct party *p = &b->parties[i];
        char who[160];
        if (p == main)
            continue;
        name_party(t, p, who, sizeof who);
        used += (size_t)snprintf(to + used, size - used, "; %s at line %d %s",
                                 who, p->insn ? p->insn->line : 0, waiting(p));
    }
    if (b->more && used < size)
        snprintf(to + used, size - used, "; and others elsewhere");
}

static const char *hint(const struct launch_info *info, const struct party *p)
{
    enum stuck_kind stuck = p->stuck;
    if (spins_idly(p))
        return "its condition never becomes false: is the step added? An "
               "unsigned index is never below 0, so `i >= 0` always holds";
    if (stuck == STUCK_SPIN && !fits(info))
        return "if it waits for other blocks: the grid has more of them than "
               "the GPU holds at once, and the rest starts only when these "
               "have ended. Launch no more than fit, or do not wait";
    if (stuck == STUCK_BUDGET)
        return "does the loop's condition ever become false? Is the step "
               "added, and in the right direction? (`i >= 0` always holds for "
               "an unsigned i)";
    if (stuck == STUCK_SPIN)
        return "who should write the value that the loop waits for? A "
               "thread that waits for another must not keep that one from "
               "running (lanes of a warp, blocks that have not started)";
    return "threads that wait for each other in a circle";
}

static void say_stuck(struct teller *t, struct progress_block *b,
                      const struct party *p)
{
    char who[160], others[400];
    struct event ev = {.function = p->function,
                       .insn = p->insn,
                       .block = b->base.block,
                       .warp = p->warp,
                       .active = p->lanes};
    const struct ptx_insn *other = NULL;
    for (int i = 0; i < b->count && !other; i++)
        if (b->parties[i].insn != p->insn)
            other = b->parties[i].insn;
    struct finding f = teller_place("no-progress", &ev, other);
    name_party(t, p, who, sizeof who);
    add_others(t, b, p, others, sizeof others);
    unsigned long long block = (unsigned long long)b->base.block;
    if (p->stuck == STUCK_BUDGET)
        teller_say(&b->base, &f, 1, hint(t->info, p),
                   "%s still ran here when the launch was stopped after %llu "
                   "warp instructions%s (block %llu)",
                   who, (unsigned long long)t->info->launch->budget, others,
                   block);
    else
        teller_say(&b->base, &f, 1, hint(t->info, p),
                   "nobody can go on: %s here %s%s (block %llu)", who,
                   waiting(p), others, block);
}

static void closing(struct teller *t, struct teller_block *base)
{
    struct progress_block *b = (struct progress_block *)base;
    for (int i = 0; i < b->count; i++)
        if (b->parties[i].stuck != STUCK_BARRIER) {
            say_stuck(t, b, &b->parties[i]);
            return;
        }
}

static void on_event(struct watcher *watcher, void *state,
                     const struct event *ev)
{
    if (ev->kind == EVENT_TRAP)
        trapped((struct teller *)watcher, state, ev);
    else
        is_stuck(state, ev);
}

struct watcher *progress_watcher(struct finding_list *list)
{
    struct teller *t =
        teller_new(sizeof *t, sizeof(struct progress_block), "progress",
                   WANTS(EVENT_TRAP) | WANTS(EVENT_STUCK), on_event, list);
    t->closing = closing;
    return &t->watcher;
}
