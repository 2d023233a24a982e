/* Random kernels whose races are known, against the race watcher.
 *
 *     random_case [--count N] [--seed S] [--keep FOLDER] [FILE.ptx...]
 *
 * Makes N programs: half of them without races, and each of those spoilt
 * twice; a quarter chains of messages and barriers, a quarter last blocks and
 * flags.  No finding where nothing races, one at
 * least where something does, and none that names two operations which do
 * not.  What fails is made smaller and written to FOLDER.  Files that were
 * kept are run again.  Prints what is not as expected, and `N passed, M
 * failed, K skipped`. */
#include "sim/launch.h"
#include "tests/support/random_chain.h"
#include "watch/race.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum failure { FAILURE_NONE, FAILURE_MISS, FAILURE_ALARM, FAILURE_RUN };
static const char *const failure_names[] = {"none", "miss", "alarm", "run"};
enum { BUFFER_BYTES = 16384, BUDGET = 400000, SHOWN = 20 };

/* What is known of a kernel. */
struct expected {
    uint32_t threads, grid;
    bool is_racy;
    const struct oracle *oracle; /* NULL: any finding is one of its races */
};
struct session {
    uint64_t seed;
    const char *keep; /* or NULL */
    uint64_t number;
    int passed, failed;
    uint64_t racy;
};

/* ---- one run ------------------------------------------------------------------ */

static enum failure judge(const struct expected *k,
                          const struct finding_list *l, char *why, size_t size)
{
    for (int i = 0; i < l->count; i++) {
        const struct finding *f = &l->items[i];
        bool is_fine = !k->is_racy && !k->oracle;
        if (k->oracle)
            is_fine =
                f->line < 1 || f->line > PROGRAM_OPS || f->other_line < 1 ||
                f->other_line > PROGRAM_OPS ||
                k->oracle->pair[f->line - 1][f->other_line - 1] == PAIR_FINE;
        if (!is_fine)
            continue;
        snprintf(why, size, "line %d, %d: %s", f->line, f->other_line,
                 f->message);
        return FAILURE_ALARM;
    }
    if (!k->is_racy || l->count > 0)
        return FAILURE_NONE;
    snprintf(why, size, "nothing found");
    return FAILURE_MISS;
}

static bool launch(const struct expected *k, const struct ptx_program *program,
                   uint64_t seed, struct finding_list *list, char *why,
                   size_t size)
{
    struct memory memory;
    struct error e;
    struct launch_result result = {0};
    struct watcher *watcher = race_watcher(list);
    memory_init(&memory);
    struct buffer *g = memory_add(&memory, "g", BUFFER_BYTES, BUFFER_DATA, &e);
    struct module *module = g ? module_load(program, &memory, &e) : NULL;
    struct launch l = {.module = module,
                       .kernel = ptx_find_function(program, "k"),
                       .grid = {k->grid, 1, 1},
                       .block = {k->threads, 1, 1},
                       .params_bytes = 8,
                       .order = (enum block_order)(seed % 3),
                       .seed = seed,
                       .budget = BUDGET,
                       .threads = 1,
                       .watchers = &watcher,
                       .watcher_count = 1};
    if (g)
        memset(g->data, 0, g->bytes);
    l.params = g ? &g->address : NULL;
    bool ok = module && launch_run(&l, &result, &e);
    if (!ok)
        snprintf(why, size, "%.300s", e.text);
    else if (result.stop != STOP_DONE)
        snprintf(why, size, "%s", result.message);
    ok = ok && result.stop == STOP_DONE;
    launch_result_free(&result);
    module_free(module);
    memory_clear(&memory);
    race_watcher_free(watcher);
    return ok;
}

/* In `schedules` orders of warps and blocks. */
static enum failure run(const struct expected *k, const struct text *ptx,
                        uint64_t seed, int schedules, char *why, size_t size)
{
    struct error e;
    enum failure failure = FAILURE_NONE;
    struct ptx_program *program =
        ptx_load("random.ptx", ptx->data, ptx->length, &e);
    if (!program) {
        snprintf(why, size, "%.300s", e.text);
        return FAILURE_RUN;
    }
    for (int s = 0; s < schedules && failure == FAILURE_NONE; s++) {
        struct finding_list list = {0};
        failure = FAILURE_RUN;
        if (launch(k, program, seed + (uint64_t)s, &list, why, size))
            failure = judge(k, &list, why, size);
        finding_free(&list);
    }
    ptx_free(program);
    return failure;
}

static enum failure run_program(const struct random_program *p, uint64_t seed,
                                int schedules, char *why, size_t size)
{
    static struct oracle oracle;
    struct text ptx = {0};
    struct expected k = {.threads = p->threads, .grid = p->grid};
    oracle_judge(p, &oracle);
    k.oracle = &oracle;
    k.is_racy = oracle.is_racy;
    program_emit(p, &ptx);
    enum failure f = run(&k, &ptx, seed, schedules, why, size);
    text_free(&ptx);
    return f;
}

/* ---- smaller ------------------------------------------------------------------ */

static void without(struct random_program *p, int at)
{
    p->count--;
    memmove(&p->ops[at], &p->ops[at + 1],
            (size_t)(p->count - at) * sizeof *p->ops);
    p->loop_from -= at < p->loop_from;
    p->loop_to -= at < p->loop_to;
    if (p->loop_to <= p->loop_from)
        p->turns = 1;
}

/* Barriers that count on a number of warps. */
static bool has_counts(const struct random_program *p)
{
    for (int k = 0; k < p->count; k++)
        if (p->ops[k].kind == DO_BARRIER_OF || p->ops[k].kind == DO_ARRIVE)
            return true;
    return false;
}

/* The n-th simpler program; false when there are no more. */
static bool simpler(const struct random_program *p, int n,
                    struct random_program *to)
{
    *to = *p;
    struct operation *op = &to->ops[n / 6 < p->count ? n / 6 : 0];
    if (n >= 6 * p->count) {
        n -= 6 * p->count;
        if (n == 0)
            to->turns = 1;
        else if (n == 1)
            to->grid = 1;
        else if (n == 2 && !has_counts(p))
            to->threads = p->threads > 64 ? 64 : 32;
        return n < 3;
    }
    switch (n % 6) {
    case 0: without(to, n / 6); break;
    case 1: op->who = WHO_ALL; break;
    case 2: op->where_step = 0; break;
    case 3: op->is_branch = false; break;
    case 4: op->where_k = 0; break;
    default: op->space = IN_BLOCK; break;
    }
    return true;
}

/* The texts tell: what does not show in them is the same. */
static bool is_other(const struct random_program *a,
                     const struct random_program *b)
{
    struct text x = {0}, y = {0};
    program_emit(a, &x);
    program_emit(b, &y);
    bool other = strcmp(x.data, y.data) != 0 || a->grid != b->grid ||
                 a->threads != b->threads;
    text_free(&x);
    text_free(&y);
    return other;
}

static void shrink(struct random_program *p, enum failure failure,
                   uint64_t seed)
{
    struct random_program smaller;
    char why[1000];
    for (int n = 0; simpler(p, n, &smaller);) {
        if (is_other(p, &smaller) && smaller.count > 0 &&
            run_program(&smaller, seed, 6, why, sizeof why) == failure) {
            *p = smaller;
            n = 0;
        } else {
            n++;
        }
    }
}

/* ---- keeping ------------------------------------------------------------------- */

static void list_pairs(struct text *t, const struct oracle *o,
                       enum verdict_of_pair which)
{
    for (int a = 0; a < PROGRAM_OPS; a++)
        for (int b = a; b < PROGRAM_OPS; b++)
            if (o->pair[a][b] == which)
                text_printf(t, " %d-%d", a + 1, b + 1);
    text_puts(t, "\n");
}

static void keep(const struct session *s, const struct expected *k,
                 const struct text *ptx, enum failure failure, const char *why)
{
    struct text t = {0};
    struct error e;
    char path[400];
    if (!s->keep)
        return;
    text_printf(&t, "// block=%u grid=%u\n", k->threads, k->grid);
    text_printf(&t, "// expect: %s", k->is_racy ? "race" : "none");
    if (k->oracle) {
        list_pairs(&t, k->oracle, PAIR_RACES);
        text_puts(&t, "// may:");
        list_pairs(&t, k->oracle, PAIR_MAY);
    } else {
        text_puts(&t, "\n");
    }
    text_printf(&t, "// %s\n", why);
    text_add(&t, ptx->data, ptx->length);
    snprintf(path, sizeof path, "%s/%s_%llu_%llu.ptx", s->keep,
             failure_names[failure], (unsigned long long)s->seed,
             (unsigned long long)s->number);
    if (!text_write_file(path, t.data, t.length, &e))
        printf("%s\n", e.text);
    text_free(&t);
}

static void failed(struct session *s, enum failure f, const char *why)
{
    if (s->failed++ < SHOWN)
        printf("seed %llu, number %llu: %s: %s\n", (unsigned long long)s->seed,
               (unsigned long long)s->number, failure_names[f], why);
}

/* ---- thousands ------------------------------------------------------------------ */

static void try_program(struct session *s, struct random_program *p,
                        uint64_t seed)
{
    static struct oracle oracle;
    char why[1000];
    enum failure f = run_program(p, seed, 2, why, sizeof why);
    oracle_judge(p, &oracle);
    s->racy += oracle.is_racy;
    if (f == FAILURE_NONE) {
        s->passed++;
        return;
    }
    failed(s, f, why);
    if (!s->keep)
        return;
    shrink(p, f, seed);
    struct text ptx = {0};
    struct expected k = {.threads = p->threads, .grid = p->grid};
    run_program(p, seed, 6, why, sizeof why);
    oracle_judge(p, &oracle);
    k.oracle = &oracle;
    k.is_racy = oracle.is_racy;
    program_emit(p, &ptx);
    keep(s, &k, &ptx, f, why);
    text_free(&ptx);
}

static void try_message(struct session *s, struct random *r)
{
    struct message_program m;
    struct text ptx = {0};
    char why[1000], more[1300];
    message_make(&m, r, &ptx);
    struct expected k = {
        .threads = m.threads, .grid = m.grid, .is_racy = m.is_racy};
    enum failure f = run(&k, &ptx, s->number, 3, why, sizeof why);
    s->racy += m.is_racy;
    snprintf(more, sizeof more, "%s: %s", m.what, why);
    if (f == FAILURE_NONE) {
        s->passed++;
    } else {
        failed(s, f, more);
        keep(s, &k, &ptx, f, more);
    }
    text_free(&ptx);
}

static enum failure run_chain(const struct chain_program *p, uint64_t seed,
                              struct expected *k, struct text *ptx, char *why,
                              size_t size)
{
    static struct oracle oracle;
    chain_judge(p, &oracle);
    *k = (struct expected){.threads = p->threads,
                           .grid = p->grid,
                           .is_racy = oracle.is_racy,
                           .oracle = &oracle};
    text_free(ptx);
    chain_emit(p, ptx);
    return run(k, ptx, seed, 2, why, size);
}

static void try_chain(struct session *s, struct random *r)
{
    struct chain_program p;
    struct expected k;
    struct text ptx = {0};
    char why[1000];
    chain_make(&p, r);
    enum failure f = run_chain(&p, s->number, &k, &ptx, why, sizeof why);
    s->racy += k.is_racy;
    if (f == FAILURE_NONE) {
        s->passed++;
        text_free(&ptx);
        return;
    }
    failed(s, f, why);
    for (int at = 0; s->keep && at < p.count;) { /* without what it can do */
        struct chain_program smaller = p;
        chain_without(&smaller, at++);
        if (run_chain(&smaller, s->number, &k, &ptx, why, sizeof why) != f)
            continue;
        p = smaller;
        at = 0;
    }
    run_chain(&p, s->number, &k, &ptx, why, sizeof why);
    keep(s, &k, &ptx, f, why);
    text_free(&ptx);
}

static void try_number(struct session *s)
{
    struct random r = {random_at(s->seed, s->number)};
    struct random_program p, spoilt;
    if (s->number % 4 == 3) {
        try_message(s, &r);
        return;
    }
    if (s->number % 4 == 1) {
        try_chain(s, &r);
        return;
    }
    program_make(&p, &r);
    if (p.count == 0)
        return;
    spoilt = p;
    try_program(s, &p, s->number);
    for (int k = 0; k < 2 && spoilt.count > 0; k++) {
        program_mutate(&spoilt, &r);
        struct random_program copy = spoilt;
        if (copy.count > 0)
            try_program(s, &copy, s->number);
    }
}

/* ---- what was kept --------------------------------------------------------------- */

static void read_pairs(const char *at, struct oracle *o,
                       enum verdict_of_pair which)
{
    int a, b, used;
    while (sscanf(at, " %d-%d%n", &a, &b, &used) == 2) {
        o->pair[a - 1][b - 1] = o->pair[b - 1][a - 1] = which;
        at += used;
    }
}

static void try_file(struct session *s, const char *path)
{
    static struct oracle oracle;
    struct text t = {0};
    struct error e;
    char why[1000] = "no header";
    enum failure f = FAILURE_RUN;
    struct expected k = {0};
    memset(&oracle, 0, sizeof oracle);
    if (!text_read_file(&t, path, 1 << 20, &e))
        snprintf(why, sizeof why, "%.500s", e.text);
    const char *expect = t.data ? strstr(t.data, "// expect: ") : NULL;
    const char *may = t.data ? strstr(t.data, "// may:") : NULL;
    if (expect &&
        sscanf(t.data, "// block=%u grid=%u", &k.threads, &k.grid) == 2) {
        k.is_racy = strncmp(expect + 11, "race", 4) == 0;
        read_pairs(expect + 15, &oracle, PAIR_RACES);
        if (may)
            read_pairs(may + 7, &oracle, PAIR_MAY);
        k.oracle = may ? &oracle : NULL;
        f = run(&k, &t, 0, 12, why, sizeof why);
    }
    if (f == FAILURE_NONE) {
        s->passed++;
    } else {
        s->failed++;
        printf("%s: %s: %s\n", path, failure_names[f], why);
    }
    text_free(&t);
}

int main(int argc, char **argv)
{
    struct session s = {.seed = 1};
    uint64_t count = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int k = 1; k < argc; k++) {
        const char *value = k + 1 < argc ? argv[k + 1] : "0";
        if (strcmp(argv[k], "--count") == 0 && ++k)
            count = strtoull(value, NULL, 10);
        else if (strcmp(argv[k], "--seed") == 0 && ++k)
            s.seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[k], "--keep") == 0 && ++k)
            s.keep = value;
        else
            try_file(&s, argv[k]);
    }
    for (; s.number < count; s.number++)
        try_number(&s);
    if (count > 0)
        printf("%llu of them race\n", (unsigned long long)s.racy);
    printf("%d passed, %d failed, 0 skipped\n", s.passed, s.failed);
    return s.failed != 0;
}
