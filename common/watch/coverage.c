/* Which elements of the input have been read.  See coverage.h. */
#include "watch/coverage.h"

#include "watch/name.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct coverage {
    struct watcher watcher; /* first */
    struct finding_list *findings;
    const struct launch_info *info;
    bool is_on; /* the launch has an input */
    struct name_arguments arguments;
    _Atomic uint64_t *once, *again; /* a bit an element */
};

/* ---- marking ----------------------------------------------------------------*/

/* Elements of one group of 64 that one instruction reads. */
struct group {
    uint64_t word, once, again;
};

static void group_flush(struct coverage *c, const struct group *g)
{
    if (!g->once)
        return;
    uint64_t before = atomic_fetch_or_explicit(&c->once[g->word], g->once,
                                               memory_order_relaxed);
    uint64_t again = g->again | (before & g->once);
    if (again)
        atomic_fetch_or_explicit(&c->again[g->word], again,
                                 memory_order_relaxed);
}

static void mark(struct coverage *c, struct group *g, uint64_t element)
{
    uint64_t bit = 1ull << (element % 64);
    if (element / 64 != g->word) {
        group_flush(c, g);
        *g = (struct group){.word = element / 64};
    }
    g->again |= g->once & bit;
    g->once |= bit;
}

/* Lanes in a row of single floats: at most two groups. */
static void mark_row(struct coverage *c, uint64_t element, uint32_t lanes)
{
    uint64_t shift = element % 64;
    struct group g = {element / 64, (uint64_t)lanes << shift, 0};
    group_flush(c, &g);
    if (shift > 32) {
        g = (struct group){element / 64 + 1, (uint64_t)lanes >> (64 - shift),
                           0};
        group_flush(c, &g);
    }
}

static void mark_lane(struct coverage *c, struct group *g, uint64_t address,
                      uint32_t size)
{
    const struct name_arguments *a = &c->arguments;
    uint64_t first = (address - a->in) / sizeof(float);
    uint64_t last = (address + size - 1 - a->in) / sizeof(float);
    if (address < a->in)
        return;
    for (uint64_t k = first; k <= last && k < a->n; k++)
        mark(c, g, k);
}

static void on_load(struct watcher *watcher, void *state,
                    const struct event *ev)
{
    struct coverage *c = (struct coverage *)watcher;
    const struct name_arguments *a = &c->arguments;
    struct group g = {0};
    (void)state;
    if (ev->space != SPACE_GLOBAL || !c->is_on)
        return;
    uint32_t first = (uint32_t)__builtin_ctz(ev->active);
    uint32_t last = 31 - (uint32_t)__builtin_clz(ev->active);
    uint64_t at = ev->address[first] - a->in;
    if (ev->is_row && ev->size == sizeof(float) && at % sizeof(float) == 0 &&
        at / sizeof(float) + (last - first) < a->n) {
        mark_row(c, at / sizeof(float), ev->active >> first);
        return;
    }
    for (uint32_t m = ev->active; m; m &= m - 1)
        mark_lane(c, &g, ev->address[__builtin_ctz(m)], ev->size);
    group_flush(c, &g);
}

/* ---- telling ----------------------------------------------------------------*/

struct tally {
    uint64_t count, first;
};

/* Elements whose bit is `set` in the map. */
static struct tally tally_bits(const struct coverage *c, _Atomic uint64_t *map,
                               bool set)
{
    struct tally t = {0};
    uint64_t n = c->arguments.n;
    for (uint64_t word = 0; word * 64 < n; word++) {
        uint64_t bits = set ? map[word] : ~map[word];
        if (n - word * 64 < 64)
            bits &= (1ull << (n % 64)) - 1;
        if (bits && !t.count)
            t.first = word * 64 + (uint64_t)__builtin_ctzll(bits);
        t.count += (uint64_t)__builtin_popcountll(bits);
    }
    return t;
}

static void say(struct coverage *c, const struct tally *t,
                enum severity severity, const char *what, const char *hint)
{
    char message[300];
    unsigned long long n = (unsigned long long)c->arguments.n;
    if (!t->count)
        return;
    if (t->count == 1)
        snprintf(message, sizeof message, "in[%llu] is %s (n is %llu)",
                 (unsigned long long)t->first, what, n);
    else
        snprintf(message, sizeof message,
                 "%llu of %llu elements are %s; the first is in[%llu]",
                 (unsigned long long)t->count, n, what,
                 (unsigned long long)t->first);
    struct finding f = {.kind = "coverage",
                        .severity = severity,
                        .space = "global",
                        .message = message,
                        .hint = (char *)(uintptr_t)hint,
                        .count = 1};
    finding_add(c->findings, &f);
}

static void begin(struct watcher *watcher, const struct launch_info *info)
{
    struct coverage *c = (struct coverage *)watcher;
    c->info = info;
    c->is_on = name_arguments(info, &c->arguments) && c->arguments.n;
    if (!c->is_on)
        return;
    size_t words = c->arguments.n / 64 + 2;
    c->once = checked_alloc(words * sizeof *c->once);
    c->again = checked_alloc(words * sizeof *c->again);
}

static void end(struct watcher *watcher)
{
    struct coverage *c = (struct coverage *)watcher;
    if (c->is_on) {
        struct tally never = tally_bits(c, c->once, false);
        struct tally again = tally_bits(c, c->again, true);
        say(c, &never, SEVERITY_ERROR, "never read",
            "a sum needs every element: which thread should read that one?");
        say(c, &again, SEVERITY_WARNING, "read more than once",
            "each element needs to be read once; more costs time, and added "
            "twice it makes the sum wrong");
    }
    free(c->once);
    free(c->again);
    c->once = c->again = NULL;
}

struct watcher *coverage_watcher(struct finding_list *list)
{
    struct coverage *c = checked_alloc(sizeof *c);
    c->findings = list;
    c->watcher = (struct watcher){.name = "coverage",
                                  .wants = WANTS(EVENT_LOAD),
                                  .begin = begin,
                                  .event = on_load,
                                  .end = end};
    return &c->watcher;
}

void coverage_watcher_free(struct watcher *watcher)
{
    free(watcher);
}
