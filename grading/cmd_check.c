/* lab check: is this kernel right?  The first wrong thing first.
 *
 * A list of cases is run in order, small ones first: every n around the
 * warp, the block and the tile with whole numbers (the sums are exact), the
 * other blocks, all kinds of data, orders of the blocks, offsets and, where
 * the stage allows any grid, several grids.  The first case that fails is
 * made smaller, the element at fault is proven by probing, and that is what
 * the student reads.  It takes well below 2 s; `make grade` tries more. */
#include "grading/cmd.h"
#include "lab/number.h"
#include "lab/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct check_case {
    uint64_t n, grid, offset;
    uint32_t block;
    enum data_kind data;
    enum block_order order;
    bool is_size; /* part of the rising list of n with one block */
};

enum { CASES = 256 };
struct checker {
    const struct kernel *kernel;
    const struct options *options;
    struct run_spec spec; /* what all cases share */
    struct check_case cases[CASES];
    int count;
};

static void add_case(struct checker *c, struct check_case one)
{
    if (c->count < CASES)
        c->cases[c->count++] = one;
}

/* ---- the list --------------------------------------------------------------- */

static void add_sizes(struct checker *c, uint32_t block)
{
    uint64_t sizes[STAGE_SIZES];
    int count = stage_sizes(c->kernel->stage, block, sizes);

    for (int i = 0; i < count; i++)
        add_case(c, (struct check_case){.n = sizes[i],
                                        .block = block,
                                        .data = DATA_INTEGERS,
                                        .is_size = true});
}

static void add_blocks(struct checker *c, uint32_t but)
{
    const struct stage *s = c->kernel->stage;

    for (const uint32_t *b = s->blocks; *b; b++) {
        const uint64_t tile = (uint64_t)*b * s->items;
        const uint64_t sizes[] = {1, *b - 1, *b + 1, tile, 3 * tile + 1};
        for (int i = 0; *b != but && i < 5; i++)
            add_case(c, (struct check_case){
                            .n = sizes[i], .block = *b, .data = DATA_INTEGERS});
    }
}

/* All data, orders, offsets and (where any grid is right) grids. */
static void add_conditions(struct checker *c, uint32_t block)
{
    const struct stage *s = c->kernel->stage;
    struct check_case base = {.n = 4099, .block = block};

    for (int d = 0; d < DATA_KINDS; d++) {
        base.data = (enum data_kind)d;
        add_case(c, base);
    }
    base.data = DATA_INTEGERS;
    for (int order = ORDER_DESCENDING; order <= ORDER_RANDOM; order++) {
        base.order = (enum block_order)order;
        add_case(c, base);
    }
    base.order = ORDER_ASCENDING;
    for (base.offset = 1; base.offset <= 3; base.offset++)
        add_case(c, base);
    base.offset = 0;
    const uint64_t grids[] = {1, 2, 3, 100};
    for (int g = 0; s && s->grid_rule == GRID_FILL && g < 4; g++) {
        base.grid = grids[g];
        add_case(c, base);
    }
}

static void make_cases(struct checker *c)
{
    const struct options *o = c->options;
    uint32_t block = o->has_block ? o->block : c->spec.block;

    if (o->has_n) {
        for (int d = 0; d < DATA_KINDS; d++)
            add_case(c, (struct check_case){.n = o->n,
                                            .block = block,
                                            .data = (enum data_kind)d});
        return;
    }
    add_sizes(c, block);
    if (c->kernel->stage && !o->has_block)
        add_blocks(c, block);
    add_conditions(c, block);
}

/* ---- running ------------------------------------------------------------------ */

static struct run_spec spec_for(const struct checker *c,
                                const struct check_case *one)
{
    struct run_spec spec = c->spec;
    uint64_t warps = one->n / 32 + 64 * (one->grid + 1);

    spec.n = one->n;
    spec.block = one->block;
    spec.grid = one->grid;
    spec.offset = one->offset;
    spec.data = one->data;
    spec.order = one->order;
    /* An endless loop must be told within a second or so. */
    spec.budget = 5000000 + 2000 * warps;
    return spec;
}

/* Between an n that passes and one that fails: a smaller one that fails.
 * Each try halves the gap, so it is a dozen launches at most. */
static bool make_smaller(const struct checker *c, uint64_t passes,
                         struct check_case *failing, struct run_result *result,
                         struct error *e)
{
    while (failing->n - passes > 1) {
        struct check_case middle = *failing;
        struct run_result tried;
        middle.n = passes + (failing->n - passes) / 2;
        struct run_spec spec = spec_for(c, &middle);
        if (!run_kernel(c->kernel, &spec, &tried, e))
            return false;
        if (tried.verdict == VERDICT_CANCELLED) {
            run_result_free(&tried);
            return true;
        }
        if (tried.passed) {
            passes = middle.n;
            run_result_free(&tried);
        } else {
            *failing = middle;
            run_result_free(result);
            *result = tried;
        }
    }
    return true;
}

struct probe_state {
    const struct kernel *kernel;
    struct run_spec spec;
};

static bool probe_launch(void *data, const float *in, uint64_t n, float *out)
{
    struct probe_state *p = data;
    struct error ignored;

    p->spec.n = n;
    return run_plain(p->kernel, &p->spec, in, out, &ignored);
}

/* ---- telling ------------------------------------------------------------------- */

static void say_probe(const struct probe *p, uint64_t n)
{
    char text[400];
    int used;

    if (!p->is_proven) {
        if (p->constant != 0 && !isnan(p->constant)) {
            snprintf(text, sizeof text,
                     "with an input of zeros it gives %.9g: something that "
                     "is no element gets into the sum",
                     (double)p->constant);
            report_wrapped(stdout, 2, text);
        }
        return;
    }
    used = snprintf(text, sizeof text, "proven: in[%llu] is ",
                    (unsigned long long)p->index);
    if (p->times == 0)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, "never added");
    else
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "added %u times", p->times);
    if (p->is_first && p->missing > 1)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "; of %llu elements %llu are missing",
                         (unsigned long long)n, (unsigned long long)p->missing);
    if (p->is_first && p->doubled > 1)
        snprintf(text + used, sizeof text - (size_t)used,
                 "; %llu are added more than once",
                 (unsigned long long)p->doubled);
    report_wrapped(stdout, 2, text);
}

static struct probe find_proof(const struct checker *c,
                               const struct check_case *one)
{
    struct probe_state state = {c->kernel, spec_for(c, one)};
    struct probe p = {0};

    if (one->n == 0 || one->n > 1 << 20)
        return p;
    float *scratch = malloc(one->n * sizeof *scratch);
    if (scratch)
        p = probe_elements(probe_launch, &state, scratch, one->n);
    free(scratch);
    return p;
}

/* What the sum looks like, and what probing proves.  A likeness to one single
 * element may be chance: the proof stands alone then. */
static void say_cause(const struct checker *c, const struct check_case *one,
                      const struct run_result *r)
{
    struct probe p = {0};

    if (r->verdict == VERDICT_WRONG)
        p = find_proof(c, one);
    if (*r->reason &&
        !(p.is_proven && strncmp(r->reason, "the error is just", 17) == 0))
        report_wrapped(stdout, 2, r->reason);
    if (r->verdict == VERDICT_WRONG)
        say_probe(&p, one->n);
}

static const char *title(const struct kernel *k)
{
    return k->stage ? k->stage->name : k->file;
}

static void say_case(const struct check_case *one, const struct run_result *r)
{
    static const char *const orders[] = {"", ", blocks in descending order",
                                         ", blocks in random order"};
    char n[32];

    printf("  at n = %s, block %u, grid %llu, data %s%s",
           number_text(one->n, n, sizeof n), one->block,
           (unsigned long long)r->grid, data_sets[one->data].name,
           orders[one->order]);
    if (one->offset)
        printf(", in + %llu", (unsigned long long)one->offset);
    putchar('\n');
    if (r->verdict == VERDICT_WRONG || r->verdict == VERDICT_FINDINGS)
        printf("  got %.9g, expected %.9g\n", (double)r->value,
               r->expected.value);
}

/* More elements make too many steps to look at. */
enum { TRACE_WORTH = 1 << 16 };

/* The command that shows this case again, and the one for a hint. */
static void say_commands(const struct checker *c, const struct check_case *one)
{
    const struct kernel *k = c->kernel;
    char number[16];

    if (!k->stage)
        return;
    stage_short(k->stage, number, sizeof number);
    char shape[120];
    snprintf(shape, sizeof shape, "%s --n %llu --block %u --data %s", number,
             (unsigned long long)one->n, one->block, data_sets[one->data].name);
    printf("  again:  build/bin/lab run %s\n", shape);
    if (one->n <= TRACE_WORTH)
        printf("  see it: build/bin/lab trace %s\n", shape);
    printf("  a hint: make hint LAB=%s\n", number);
}

static void say_wrong(const struct checker *c, const struct check_case *one,
                      const struct run_result *r)
{
    printf("%s%s: %s%s\n", colour_on(stdout, COLOUR_RED), title(c->kernel),
           verdict_word(r->verdict), colour_off(stdout));
    report_findings(stdout, &r->launch.findings);
    say_case(one, r);
    say_cause(c, one, r);
    if (r->launch.output && *r->launch.output)
        printf("  the kernel printed:\n%.2000s\n", r->launch.output);
    say_commands(c, one);
}

/* ---- the verdict ---------------------------------------------------------------- */

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Runs the cases up to the first that fails. */
static int run_cases(struct checker *c, struct error *e)
{
    double start = now_s();
    uint64_t passes = 0;
    struct ticker ticker = {.what = title(c->kernel)};

    for (int i = 0; i < c->count; i++) {
        struct check_case one = c->cases[i];
        struct run_spec spec = spec_for(c, &one);
        struct run_result r;
        ticker_show(&ticker, (double)i / c->count);
        bool ran = run_kernel(c->kernel, &spec, &r, e);
        if (!ran || !r.passed || i + 1 == c->count)
            ticker_clear(&ticker);
        if (!ran)
            return cannot(e);
        if (r.passed) {
            passes = one.is_size ? one.n : passes;
            run_result_free(&r);
            continue;
        }
        bool ok = true;
        if (one.is_size && i > 0 && r.verdict != VERDICT_CANCELLED)
            ok = make_smaller(c, passes, &one, &r, e);
        if (ok && r.verdict != VERDICT_CANCELLED)
            say_wrong(c, &one, &r);
        run_result_free(&r);
        return ok ? OUTCOME_FAILED : cannot(e);
    }
    printf("%s%s: passed%s, %d launches, two each, in %.1f s\n",
           colour_on(stdout, COLOUR_GREEN), title(c->kernel),
           colour_off(stdout), c->count, now_s() - start);
    return OUTCOME_OK;
}

static int check_loaded(struct context *context, const struct options *o,
                        const struct kernel *k, struct error *e)
{
    struct checker *c = calloc(1, sizeof *c);
    if (!c) {
        error_set(e, "out of memory");
        return cannot(e);
    }
    c->kernel = k;
    c->options = o;
    c->spec = run_defaults(k);
    options_apply(o, &c->spec);
    checks_parse("all,coverage", &c->spec.checks, e);
    c->spec.cancel = context->cancel;
    make_cases(c);
    if (k->compiled.warnings) {
        printf("%swarnings%s\n", colour_on(stdout, COLOUR_YELLOW),
               colour_off(stdout));
        printf("%s\n", k->compiled.warnings);
    }
    int status = run_cases(c, e);
    free(c);
    return status;
}

/* Before there is anything to launch: what the student reads first. */
static void say_not_loaded(enum outcome outcome, const struct kernel *k,
                           const struct error *e)
{
    if (outcome == OUTCOME_CANNOT) {
        cannot(e);
        return;
    }
    printf("%s%s: cannot be used yet%s\n", colour_on(stdout, COLOUR_RED),
           title(k), colour_off(stdout));
    printf("%s\n", e->text);
}

int cmd_check(struct context *context, const struct options *o)
{
    static const char *const states[] = {"passed", "failed"};
    struct error e;
    struct kernel k = {0};
    struct device *device = device_open(o->device, &e);

    if (!device)
        return cannot(&e);
    const struct kernel_request request = {
        &context->home, device,      o->words[0],    o->from,
        o->kernel,      o->compiler, context->cancel};
    int status = kernel_load(&request, &k, &e);
    if (status == OUTCOME_OK)
        status = check_loaded(context, o, &k, &e);
    else if (!*context->cancel)
        say_not_loaded((enum outcome)status, &k, &e);
    /* Only the whole check of the student's own file counts as progress. */
    if (k.stage && (!o->from || strcmp(o->from, "labs") == 0) &&
        status <= OUTCOME_FAILED && !*context->cancel && !o->has_n &&
        !o->has_block)
        progress_note(context, k.stage, k.file, states[status]);
    kernel_free(&k);
    device_close(device);
    return status;
}
