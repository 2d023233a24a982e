/* Runs kernels of tests/kernels and compares what is found with what they say
 * about themselves (tests/kernels/README.md).
 *
 *     kernel_case [--compiler nvcc|clang] FILE.cu...
 *     kernel_case --find        is there a compiler ($COMPILER)?
 *
 * Each launch is made several times, in other orders of blocks, with other
 * data and lengths, and once more on one host thread, which must change no
 * finding.  Prints what is not as expected, and `N passed, M failed, K
 * skipped`. */
#include "tests/support/kernel_case.h"
#include "lab/run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A way to run each launch. */
static const struct schedule {
    uint64_t n; /* for launches that name none */
    uint64_t seed;
    enum block_order order;
    int threads;
} schedules[] = {
    {20011, 1, ORDER_ASCENDING, 0},
    {1021, 2, ORDER_DESCENDING, 0},
    {5003, 3, ORDER_RANDOM, 0},
    {5003, 3, ORDER_RANDOM, 1}, /* the one before on one thread: same words */
};
enum { SCHEDULES = sizeof schedules / sizeof *schedules };
static const char *const order_names[] = {"ascending", "descending", "random"};

struct tally {
    int passed, failed, skipped;
};

static void say_failure(const struct kernel_case *c,
                        const struct case_launch *l, const struct run_spec *s,
                        const char *compiler, const char *why)
{
    char grid[40] = "", shared[40] = "", more[80] = "";
    if (l->grid)
        snprintf(grid, sizeof grid, " --grid %llu",
                 (unsigned long long)l->grid);
    if (l->shared >= 0)
        snprintf(shared, sizeof shared, " --shared %lld", (long long)l->shared);
    if (l->offset || l->budget)
        snprintf(more, sizeof more, " --offset %llu --budget %llu",
                 (unsigned long long)l->offset, (unsigned long long)l->budget);
    printf("%s:%d: %s\n"
           "    lab run %s --compiler %s --n %llu --block %u%s%s%s "
           "--data %s --order %s --seed %llu%s\n",
           c->file, l->line, why, c->file, compiler, (unsigned long long)s->n,
           l->block, grid, shared, more, data_sets[s->data].name,
           order_names[s->order], (unsigned long long)s->seed,
           s->threads ? " --threads 1" : "");
}

static struct run_spec spec_of(const struct kernel *k,
                               const struct case_launch *l,
                               const struct schedule *s, enum data_kind data)
{
    struct run_spec spec = run_defaults(k);
    spec.n = l->has_n ? l->n : s->n;
    spec.block = l->block;
    spec.grid = l->grid ? l->grid : (spec.n + l->block - 1) / l->block;
    spec.shared = l->shared;
    spec.offset = l->offset;
    spec.budget = l->budget;
    spec.data = data;
    spec.order = s->order;
    spec.seed = s->seed;
    spec.threads = s->threads;
    return spec;
}

/* All words of the findings, to compare two runs. */
static char *words_of(const struct finding_list *list)
{
    char *words = NULL;
    size_t size;
    FILE *out = open_memstream(&words, &size);
    for (int k = 0; k < list->count; k++) {
        const struct finding *f = &list->items[k];
        fprintf(out, "%s:%d:%d %s x%llu\n", f->kind, f->line, f->other_line,
                f->message ? f->message : "", (unsigned long long)f->count);
    }
    fclose(out);
    return words;
}

/* Fresh __device__ variables: a run must not see what the one before left. */
static bool load_again(struct kernel *k, struct error *e)
{
    k->device->ops->unload(k->device, k->module);
    k->module = k->device->ops->load(k->device, k->program, e);
    return k->module != NULL;
}

/* One run.  `before`: the words of the run before, replaced by this one's. */
static bool run_once(struct kernel *k, const struct kernel_case *c,
                     const struct case_launch *l, const struct run_spec *spec,
                     char **before, char *why, size_t size)
{
    struct run_result r;
    struct error e;
    if (!load_again(k, &e) || !run_kernel(k, spec, &r, &e)) {
        snprintf(why, size, "%s", e.text);
        return false;
    }
    char *words = words_of(&r.launch.findings);
    bool ok =
        !kernel_case_differs(c, l, &r.launch.findings, r.correct, why, size);
    if (ok && spec->threads == 1 && *before && strcmp(words, *before) != 0) {
        ok = false;
        snprintf(why, size, "other findings on one thread:\n%s    or:\n%s",
                 words, *before);
    }
    free(*before);
    *before = words;
    run_result_free(&r);
    return ok;
}

/* All schedules of one launch with one kind of data: one test. */
static bool run_launch(struct kernel *k, const struct kernel_case *c,
                       const struct case_launch *l, enum data_kind data,
                       const char *compiler)
{
    char *before = NULL, why[2200];
    bool ok = true;
    for (int s = 0; ok && s < SCHEDULES; s++) {
        struct run_spec spec = spec_of(k, l, &schedules[s], data);
        ok = run_once(k, c, l, &spec, &before, why, sizeof why);
        if (!ok)
            say_failure(c, l, &spec, compiler, why);
    }
    free(before);
    return ok;
}

static void run_case(const struct kernel_case *c,
                     struct kernel_request *request, struct tally *t)
{
    struct kernel k = {0};
    struct error e;
    request->target = c->file;
    if (kernel_load(request, &k, &e) != OUTCOME_OK) {
        printf("%s: %s\n", c->file, e.text);
        t->failed++;
    } else if (k.compiled.warnings) {
        printf("%s: with %s: %s\n", c->file, request->compiler,
               k.compiled.warnings);
        t->failed++;
    }
    for (int l = 0; k.function && l < c->launch_count; l++)
        for (int d = 0; d < c->data_count; d++) {
            bool ok = run_launch(&k, c, &c->launches[l], c->data[d],
                                 request->compiler);
            t->passed += ok;
            t->failed += !ok;
        }
    kernel_free(&k);
}

static void run_file(const char *file, struct kernel_request *request,
                     struct tally *t)
{
    struct error e;
    struct kernel_case *c = malloc(sizeof *c);
    if (!c || !kernel_case_read(c, file, &e)) {
        printf("%s\n", c ? e.text : "no memory");
        t->failed++;
    } else if (c->needs_nvcc && strcmp(request->compiler, "nvcc") != 0) {
        t->skipped++;
    } else {
        run_case(c, request, t);
    }
    free(c);
}

int main(int argc, char **argv)
{
    struct tally t = {0};
    struct error e;
    struct home home;
    struct kernel_request request = {.home = &home, .compiler = "clang"};
    int first = 1;
    if (argc == 2 && strcmp(argv[1], "--find") == 0) {
        struct compiler found;
        return compiler_find(NULL, NULL, &found, &e) ? 0 : 1;
    }
    if (argc > 2 && strcmp(argv[1], "--compiler") == 0) {
        request.compiler = argv[2];
        first = 3;
    }
    struct device *device = request.device = device_open("sim", &e);
    if (!device || !home_find(&home, &e)) {
        printf("%s\n", e.text);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int k = first; k < argc; k++)
        run_file(argv[k], &request, &t);
    device_close(device);
    printf("%d passed, %d failed, %d skipped\n", t.passed, t.failed, t.skipped);
    return t.failed != 0;
}
