/* The table of suites, and what they share: loading a stage inside a test
 * process, running it, and saying what was wrong. */
#include "grading/suites.h"
#include "base/arena.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct grade_suite grade_suites[] = {
    {"correct", 1, suite_correct},
    {"fast", 1, suite_fast},
    {"clean", 1, suite_clean},
    {"concept", 1, suite_concept},
};
const int grade_suite_count = sizeof grade_suites / sizeof *grade_suites;

void suite_add_cases(const struct grading *g, TCase *tests, const TTest *test,
                     int stage, int count)
{
    int first = stage * CASES_PER_STAGE;
    tcase_add_loop_test(tests, test, first, first + count);
    g->clock->total += count;
}

void suite_case_name(int suite, int stage, char *name, size_t size)
{
    snprintf(name, size, "%s: %s", stages[stage].name,
             grade_suites[suite].name);
}

void bench_fail(struct bench *b, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(b->state->message, sizeof b->state->message, format, list);
    va_end(list);
    b->state->is_wrong = true;
    ck_abort_msg("%s", b->state->message);
    _exit(1); /* not reached: ck_abort_msg ends the test process */
}

void bench_unjudged(struct bench *b, const char *why)
{
    snprintf(b->state->message, sizeof b->state->message, "%s", why);
    b->state->is_unjudged = true;
    ck_abort_msg("not judged: %s", why);
    _exit(1); /* not reached, as above */
}

static void show_progress(const struct bench *b)
{
    struct grade_clock *clock = b->grading->clock;
    clock->ticker.what = b->stage->name;
    ticker_show(&clock->ticker, (double)clock->done++ / clock->total);
}

/* A stage that was not handed in is wrong; a file that we cannot read is
 * ours to tell. */
static void check_file(struct bench *b)
{
    struct error e = {{0}};
    char path[1024];
    const struct home *home = &b->grading->home;
    if (home_kernel(home, b->grading->from, b->stage->name, path, sizeof path,
                    &e) &&
        access(path, F_OK) != 0)
        bench_fail(b, "there is no %s", path);
}

void bench_load(struct bench *b, struct device *device, struct kernel *k)
{
    struct error e = {{0}};
    struct kernel_request request = {
        .home = &b->grading->home,
        .device = device,
        .target = b->stage->name,
        .from = b->grading->from,
        .compiler = b->grading->compiler,
    };
    const struct stage_compiled *ahead =
        &b->grading->compiled[b->stage - stages];
    enum outcome outcome = ahead->outcome;
    if (outcome == OUTCOME_OK)
        outcome = kernel_load(&request, k, &e);
    else /* it would not go better now, and may take a minute */
        error_set(&e, "%s", ahead->message);
    if (outcome == OUTCOME_FAILED)
        bench_fail(b, "%s", e.text);
    if (outcome != OUTCOME_OK)
        bench_unjudged(b, e.text);
}

void bench_open(struct bench *b, const struct grading *g, int suite, int number)
{
    struct error e = {{0}};
    int stage = number / CASES_PER_STAGE;
    memset(b, 0, sizeof *b);
    b->grading = g;
    b->stage = &stages[stage];
    b->state = &g->states[suite * stage_count + stage];
    b->case_number = number % CASES_PER_STAGE;
    show_progress(b);
    if (b->state->is_unjudged)
        ck_abort_msg("not judged, see the first case");
    if (b->state->is_wrong)
        ck_abort_msg("not tried: an earlier case is wrong");
    /* The other suites ask the simulator, whatever runs the sums. */
    b->device = device_open(suite == 0 ? g->device : "sim", &e);
    if (!b->device)
        bench_unjudged(b, e.text);
    check_file(b);
    bench_load(b, b->device, &b->kernel);
}

void bench_close(struct bench *b)
{
    kernel_free(&b->kernel);
    device_close(b->device);
}

/* The command that repeats one run by hand. */
static void remember_command(struct bench *b, const struct run_spec *s)
{
    static const char *const orders[] = {"ascending", "descending", "random"};
    char grid[48] = "", offset[48] = "", order[64] = "", from[600] = "";
    const char *folder = b->grading->from;
    if (s->grid)
        snprintf(grid, sizeof grid, " --grid %llu",
                 (unsigned long long)s->grid);
    if (s->offset)
        snprintf(offset, sizeof offset, " --offset %llu",
                 (unsigned long long)s->offset);
    if (s->order != ORDER_ASCENDING)
        snprintf(order, sizeof order, " --order %s", orders[s->order]);
    if (strcmp(folder, "labs") != 0)
        snprintf(from, sizeof from, " --from '%s'", folder);
    snprintf(b->state->again, sizeof b->state->again,
             "build/bin/lab run %s%.200s --n %llu --block %u%s --data %s "
             "--seed %llu%s%s",
             b->stage->name, from, (unsigned long long)s->n, s->block, grid,
             data_sets[s->data].name, (unsigned long long)s->seed, offset,
             order);
}

/* The student's file as they know it: compilers name it by its whole path. */
static const char *shown_file(const struct bench *b, const char *file)
{
    const char *end = file ? strrchr(file, '/') : NULL;
    const char *own = strrchr(b->kernel.file, '/');
    bool is_own = !file || (end && own && strcmp(end, own) == 0);
    return is_own ? b->kernel.file : file;
}

/* What a GPU says has no line; what the simulator says of the same launch has. */
static const struct finding *first_with_line(const struct finding_list *found)
{
    for (int i = 0; i < found->count; i++)
        if (found->items[i].line && found->items[i].severity == SEVERITY_ERROR)
            return &found->items[i];
    return &found->items[0];
}

/* "n = 33, block 32, data integers: got 496, expected 528": the first thing
 * a student wants to know. */
static void describe_wrong(struct bench *b, const struct run_spec *s,
                           const struct run_result *r)
{
    char where[160], what[200] = "";
    snprintf(where, sizeof where, "n = %llu, block %u, grid %llu, %s data",
             (unsigned long long)s->n, r->block, (unsigned long long)r->grid,
             data_sets[s->data].name);
    if (r->verdict == VERDICT_WRONG)
        snprintf(what, sizeof what, ": got %.9g, expected %.9g",
                 (double)r->value, r->expected.value);
    else if (r->verdict == VERDICT_WRONG_AGAIN)
        snprintf(what, sizeof what,
                 ": second launch (n = %llu) got %.9g, expected %.9g",
                 (unsigned long long)r->again_n, (double)r->again_value,
                 r->again_expected.value);
    remember_command(b, s);
    const struct finding_list *found = &r->launch.findings;
    if (finding_errors(found) > 0) {
        const struct finding *f = first_with_line(found);
        if (!f->line)
            bench_fail(b, "%s%s; %s: %s", where, what, f->kind, f->message);
        bench_fail(b, "%s%s; %s:%d: %s: %s", where, what,
                   shown_file(b, f->file), f->line, f->kind, f->message);
    }
    bench_fail(b, "%s%s%s%s", where, what, *r->reason ? "; " : "", r->reason);
}

/* Gives the counters, if the spec asks for them, and the sum. */
static struct counters *run(struct bench *b, const struct run_spec *s,
                            bool is_clean, float *sum)
{
    struct error e = {{0}};
    struct run_result r = {0};
    uint64_t needed = (s->n + s->offset) * sizeof(float) * 3;
    if (host_memory_available() < needed)
        bench_unjudged(b, "too little memory on this machine");
    if (!run_kernel(&b->kernel, s, &r, &e))
        bench_fail(b, "n = %llu, block %u: %s", (unsigned long long)s->n,
                   s->block, e.text);
    if (!r.correct || (is_clean && !r.passed))
        describe_wrong(b, s, &r);
    struct counters *counters = r.launch.counters;
    if (sum)
        *sum = r.value;
    r.launch.counters = NULL;
    run_result_free(&r);
    return counters;
}

void bench_run(struct bench *b, const struct run_spec *s)
{
    run(b, s, false, NULL);
}

float bench_sum(struct bench *b, const struct run_spec *s)
{
    float sum;
    run(b, s, false, &sum);
    return sum;
}

void bench_run_clean(struct bench *b, const struct run_spec *s)
{
    run(b, s, true, NULL);
}

struct counters *bench_count(struct bench *b, const struct run_spec *s)
{
    struct run_spec counted = *s;
    counted.counters = true;
    struct counters *counters = run(b, &counted, false, NULL);
    if (!counters)
        bench_unjudged(b, "this device does not count");
    snprintf(b->state->again, sizeof b->state->again,
             "build/bin/lab counters %s --from '%.200s' --by line --n %llu",
             b->stage->name, b->grading->from, (unsigned long long)s->n);
    return counters;
}
