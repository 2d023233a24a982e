/* Who comes to which barrier.  See barrier.h. */
#include "watch/barrier.h"

#include "watch/decide.h"
#include "watch/name.h"

#include <stdio.h>

enum { MAX_WARPS = 32, BARRIERS = 16 };

/* A place in the program, with one who is there. */
struct party {
    const struct ptx_function *function;
    const struct ptx_insn *insn; /* NULL: nobody */
    uint32_t warp, lanes;
};

struct barrier_block {
    struct teller_block base;     /* first */
    uint32_t gone[MAX_WARPS];     /* lanes that have ended */
    struct party gone_first;      /* the first of them */
    bool gone_told;               /* about all that have ended so far */
    struct party first[BARRIERS]; /* who came first since it last opened */
    struct party part[MAX_WARPS]; /* a part of the warp came to a barrier */
    struct party stuck, stuck_other;
    bool stuck_elsewhere; /* somebody is stuck who waits at no barrier */
};

bool barrier_is_counted(const struct ptx_insn *insn)
{
    return insn->operand_count > (insn->mode == MODE_RED ? 3 : 1);
}

static struct party party_of(const struct event *ev)
{
    return (struct party){ev->function, ev->insn, ev->warp, ev->active};
}

/* ---- is it the same barrier of the source? --------------------------------*/

/* Two locations with the same chain of inlined calls: the compiler may have
 * made copies of one statement. */
static bool same_location(const struct ptx_program *p, int a, int b)
{
    while (a >= 0 && b >= 0 && a != b) {
        const struct ptx_location *x = &p->locations[a], *y = &p->locations[b];
        if (x->line != y->line || x->file != y->file || x->column != y->column)
            return false;
        a = x->inlined_at;
        b = y->inlined_at;
    }
    return a == b || !p->location_count;
}

static bool same_barrier(const struct party *a, const struct party *b)
{
    if (a->insn == b->insn)
        return true;
    if (a->insn->location < 0 || b->insn->location < 0)
        return a->insn->location == b->insn->location &&
               a->function->program->location_count > 0;
    return same_location(a->function->program, a->insn->location,
                         b->insn->location);
}

/* ---- words ----------------------------------------------------------------*/

static struct finding place_of(const struct barrier_block *b,
                               const struct party *at,
                               const struct ptx_insn *other)
{
    struct event ev = {.function = at->function,
                       .insn = at->insn,
                       .block = b->base.block,
                       .warp = at->warp,
                       .active = at->lanes};
    return teller_place("barrier-divergence", &ev, other);
}

static void name_party(const struct teller *t, const struct party *p, char *to,
                       size_t size)
{
    name_threads(t->info, p->warp, p->lanes, to, size);
}

static const char *verb(const struct party *p, const char *one,
                        const char *many)
{
    return p->lanes & (p->lanes - 1) ? many : one;
}

/* Where those who ended took another way than the barrier's: the branch, or
 * the return itself. */
static const struct ptx_insn *way_out(const struct party *gone,
                                      const struct party *waits)
{
    const struct ptx_insn *branch = NULL;
    if (gone->insn && gone->insn->guard >= 0)
        return gone->insn;
    branch = decide_branch(waits->function, waits->insn);
    return branch && branch->line ? branch : gone->insn;
}

static void say_ended(struct teller *t, struct barrier_block *b,
                      const struct party *waits, const struct party *gone)
{
    char who[120], ended[120], line[40];
    const struct ptx_insn *out = way_out(gone, waits);
    struct finding f = place_of(b, waits, out);
    if (teller_again(&b->base, &f, 1))
        return;
    name_party(t, waits, who, sizeof who);
    name_party(t, gone, ended, sizeof ended);
    name_line(out ? out->line : 0, waits->insn->line, line, sizeof line);
    teller_say(&b->base, &f, 1,
               "no hang: a barrier does not count threads that have ended; "
               "but what they should have done (a word of shared memory, say) "
               "is missing. Let every thread pass every __syncthreads(), and "
               "put only the work between them into an if",
               "%s %s at this __syncthreads(), but %s %s ended without "
               "reaching it: the ways part at %s (block %llu)",
               who, verb(waits, "waits", "wait"), ended,
               verb(gone, "has", "have"), line,
               (unsigned long long)b->base.block);
}

static void say_part(struct teller *t, struct barrier_block *b,
                     const struct party *part)
{
    char who[120], line[40];
    const struct ptx_insn *branch = decide_branch(part->function, part->insn);
    struct finding f = place_of(b, part, branch);
    if (teller_again(&b->base, &f, 1))
        return;
    name_party(t, part, who, sizeof who);
    name_line(branch ? branch->line : 0, part->insn->line, line, sizeof line);
    teller_say(&b->base, &f, 1,
               "on a GPU this hangs, or the barrier opens too early; take the "
               "__syncthreads() out of the branch so that all threads of the "
               "block pass it",
               "only %s of warp %u %s to this __syncthreads(); the others "
               "took another way at %s (block %llu)",
               who, part->warp, verb(part, "comes", "come"), line,
               (unsigned long long)b->base.block);
}

static void say_two(struct teller *t, struct barrier_block *b,
                    const struct party *x, const struct party *y)
{
    char who[120], others[120], line[40];
    if (x->insn->line > y->insn->line) {
        const struct party *swap = x;
        x = y;
        y = swap;
    }
    struct finding f = place_of(b, x, y->insn);
    if (teller_again(&b->base, &f, 1))
        return;
    name_party(t, x, who, sizeof who);
    name_party(t, y, others, sizeof others);
    name_line(y->insn->line, x->insn->line, line, sizeof line);
    teller_say(&b->base, &f, 1,
               "all threads of a block must come to the same __syncthreads(); "
               "put one after the if and else instead of one in each",
               "%s %s at this __syncthreads() while %s %s at another one, at "
               "%s (block %llu)",
               who, verb(x, "waits", "wait"), others, verb(y, "waits", "wait"),
               line, (unsigned long long)b->base.block);
}

/* ---- events ---------------------------------------------------------------*/

static void arrives(struct teller *t, struct barrier_block *b,
                    const struct event *ev)
{
    struct party now = party_of(ev), *first = &b->first[ev->barrier];
    struct party *part = &b->part[ev->warp];
    if (barrier_is_counted(ev->insn))
        return;
    if (part->insn && !(part->lanes & ev->active)) {
        if (same_barrier(part, &now))
            say_part(t, b, part);
        part->insn = NULL; /* else told as two barriers, below */
    }
    if (!first->insn)
        *first = now;
    else if (!same_barrier(first, &now))
        say_two(t, b, first, &now);
}

static void opens(struct teller *t, struct barrier_block *b,
                  const struct event *ev)
{
    struct party *first = &b->first[ev->barrier];
    if (!first->insn)
        return; /* has a count, or told by the warp before */
    if (b->gone_first.insn && !b->gone_told)
        say_ended(t, b, first, &b->gone_first);
    b->gone_told = true;
    first->insn = NULL;
}

static void ended(struct teller *t, struct barrier_block *b,
                  const struct event *ev)
{
    struct party *part = &b->part[ev->warp];
    if (!b->gone_first.insn || b->gone_told)
        b->gone_first = party_of(ev);
    b->gone_told = false;
    b->gone[ev->warp] |= ev->active;
    if (part->insn && !(part->lanes & ev->active)) {
        struct party gone = party_of(ev);
        say_ended(t, b, part, &gone);
        part->insn = NULL;
        b->gone_told = true;
    }
}

static void is_stuck(struct barrier_block *b, const struct event *ev)
{
    struct party now = party_of(ev);
    if (ev->stuck != STUCK_BARRIER || !ev->insn) {
        b->stuck_elsewhere = true;
        return;
    }
    if (!b->stuck.insn)
        b->stuck = now;
    else if (!b->stuck_other.insn && b->stuck.insn != now.insn)
        b->stuck_other = now;
}

static void on_event(struct watcher *watcher, void *state,
                     const struct event *ev)
{
    struct teller *t = (struct teller *)watcher;
    struct barrier_block *b = state;
    switch (ev->kind) {
    case EVENT_BARRIER: arrives(t, b, ev); break;
    case EVENT_BARRIER_DONE: opens(t, b, ev); break;
    case EVENT_EXIT: ended(t, b, ev); break;
    case EVENT_STUCK: is_stuck(b, ev); break;
    default:
        if (ev->misuse == MISUSE_NOT_CONVERGED &&
            !barrier_is_counted(ev->insn) && !b->part[ev->warp].insn)
            b->part[ev->warp] = party_of(ev);
        break;
    }
}

static void say_stuck(struct teller *t, struct barrier_block *b)
{
    char who[120], more[200] = "";
    const struct party *x = &b->stuck, *y = &b->stuck_other;
    struct finding f = place_of(b, x, y->insn);
    name_party(t, x, who, sizeof who);
    if (y->insn) {
        char others[120];
        name_party(t, y, others, sizeof others);
        snprintf(more, sizeof more, "; %s %s at line %d", others,
                 verb(y, "waits", "wait"), y->insn->line);
    }
    teller_say(&b->base, &f, 1,
               "a barrier opens when all its threads have come; with a count, "
               "when that many have",
               "%s %s here for ever: others never come to this barrier%s "
               "(block %llu)",
               who, verb(x, "waits", "wait"), more,
               (unsigned long long)b->base.block);
}

static void closing(struct teller *t, struct teller_block *base)
{
    struct barrier_block *b = (struct barrier_block *)base;
    for (int w = 0; w < MAX_WARPS; w++)
        if (b->part[w].insn)
            say_part(t, b, &b->part[w]);
    if (b->stuck.insn && !b->stuck_elsewhere)
        say_stuck(t, b);
}

struct watcher *barrier_watcher(struct finding_list *list)
{
    struct teller *t = teller_new(
        sizeof *t, sizeof(struct barrier_block), "barrier",
        WANTS(EVENT_BARRIER) | WANTS(EVENT_BARRIER_DONE) | WANTS(EVENT_EXIT) |
            WANTS(EVENT_STUCK) | WANTS(EVENT_BAD_SYNC),
        on_event, list);
    t->closing = closing;
    return &t->watcher;
}
