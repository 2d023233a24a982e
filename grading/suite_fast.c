/* The suite *fast*: is the kernel as fast as the idea of its stage allows?
 *
 *   time   the modelled time on an H200 (lab/model.h) is at most 1.15 times
 *          the reference solution's
 *   gain   and better than the stage before, where an H200 shows a gain
 *
 * The time is computed, so the verdict is the same on every machine.  On a GPU
 * (--device cuda) there is one case instead:
 *
 *   measured  in turns with the reference solution it takes at most 1.15 times
 *             as long.  The reference is PTX that comes with the kit, of the
 *             compiler that compiled the student's kernel
 *             (grading/reference/, made by `make figures`). */
#include "grading/suites.h"
#include "lab/model.h"
#include "lab/speed.h"
#include "lab/timing.h"

#include <stdio.h>
#include <string.h>

enum { LIMIT_S = 60, RIGHT_N = (1 << 18) + 7, MEASURED_N = 1 << 24 };

static const struct grading *grading; /* Check's tests take no argument */
static int suite_index;

/* A wrong sum is no reason to be fast: ends the test. */
static void must_be_right(struct bench *b)
{
    struct run_spec s = run_defaults(&b->kernel);
    s.n = RIGHT_N;
    s.data = DATA_INTEGERS;
    s.is_single = true;
    bench_run(b, &s);
}

static double student_us(struct bench *b, struct cost_result *r)
{
    struct error e = {{0}};
    must_be_right(b);
    const struct model_spec spec = {.gpu = gpu_find("h200", &e),
                                    .n = SPEED_N,
                                    .block = b->stage->default_block,
                                    .shared = -1};
    struct model_input *input = model_input_new(b->device, SPEED_N, &e);
    if (!input || !model_time(&b->kernel, input, &spec, r, &e))
        bench_fail(b, "n = %d, block %u: %s", SPEED_N, spec.block, e.text);
    model_input_free(input);
    return r->time_ns / 1000;
}

START_TEST(duration)
{
    struct bench b;
    struct cost_result r;
    char shares[160];
    bench_open(&b, grading, suite_index, _i);
    const struct speed *speed = speed_find(b.stage);
    double us = student_us(&b, &r);
    double limit =
        SPEED_SLACK * speed_reference_us(speed, b.kernel.compiled.compiler);
    if (!(us <= limit))
        bench_fail(&b,
                   "%.2f us on an H200 (modelled, n = 2^22, block %u); at "
                   "most %.2f us, which is %.2f times the reference%s. It "
                   "goes into %s. Hint: %s",
                   us, b.stage->default_block, limit, SPEED_SLACK,
                   speed_gain(b.stage) > 0 || b.stage == stages
                       ? ""
                       : " (an H200 gains no time by this step: its counters "
                         "show it)",
                   cost_shares_text(&r, shares, sizeof shares),
                   b.stage->hints[0]);
    bench_close(&b);
}
END_TEST

START_TEST(gain)
{
    struct bench b;
    struct cost_result r;
    char shares[160];
    bench_open(&b, grading, suite_index, _i);
    double us = student_us(&b, &r), least = speed_gain(b.stage);
    const struct stage *before = b.stage - 1;
    double was =
        speed_reference_us(speed_find(before), b.kernel.compiled.compiler);
    if (!(us * least <= was))
        bench_fail(&b,
                   "%.2f us on an H200 (modelled, n = 2^22, block %u): that "
                   "is %.2f times faster than %s (%.2f us), and should be "
                   "%.2f times. It goes into %s. Hint: %s",
                   us, b.stage->default_block, was / us, before->name, was,
                   least, cost_shares_text(&r, shares, sizeof shares),
                   b.stage->hints[0]);
    bench_close(&b);
}
END_TEST

static void load_reference(struct bench *b, struct device *gpu,
                           struct kernel *reference)
{
    struct error e = {{0}};
    char path[1200];
    const char *compiler = strncmp(b->kernel.compiled.compiler, "clang", 5) == 0
                               ? "clang"
                               : "nvcc";
    snprintf(path, sizeof path, "%s/grading/reference/%s.%s.ptx",
             b->grading->home.root, b->stage->name, compiler);
    const struct kernel_request request = {
        .home = &b->grading->home, .device = gpu, .target = path};
    if (kernel_load(&request, reference, &e) != OUTCOME_OK)
        bench_unjudged(b, e.text);
    reference->stage = b->stage; /* its block and grid */
}

static void judge_duel(struct bench *b, const struct timing_duel *d)
{
    const struct timing *t = &d->ours;
    if (t->wrong)
        bench_fail(b, "n = 2^24: %d timed runs gave %.9g instead of %.9g",
                   t->wrong, (double)t->wrong_value, t->right_value);
    if (t->is_impossible)
        bench_fail(b,
                   "n = 2^24: %.0f GB/s is more than the memory can deliver: "
                   "it cannot have read all of its input",
                   t->gb_s);
    if (d->is_too_slow)
        bench_fail(b,
                   "measured on this GPU, n = 2^24, block %u: %.4f ms, and "
                   "%.4f ms for the reference in turns with it: %.2f times "
                   "(%.2f to %.2f in %d rounds); at most %.2f times. Hint: %s",
                   b->stage->default_block, t->ms, d->reference.ms, d->ratio,
                   d->low, d->high, d->rounds, SPEED_SLACK, b->stage->hints[0]);
}

START_TEST(measured)
{
    struct bench b;
    struct error e = {{0}};
    struct kernel ours, reference;
    struct timing_duel duel;
    const struct timing_spec spec = {.n = MEASURED_N, .seed = 1};
    bench_open(&b, grading, suite_index, _i);
    must_be_right(&b);
    struct device *gpu = device_open(grading->device, &e);
    if (!gpu)
        bench_unjudged(&b, e.text);
    bench_load(&b, gpu, &ours);
    load_reference(&b, gpu, &reference);
    if (!timing_duel(gpu, &ours, &reference, SPEED_SLACK, &spec, &duel, &e))
        bench_fail(&b, "n = 2^24, block %u: %s", b.stage->default_block,
                   e.text);
    judge_duel(&b, &duel);
    kernel_free(&reference);
    kernel_free(&ours);
    device_close(gpu);
    bench_close(&b);
}
END_TEST

Suite *suite_fast(const struct grading *g, int index)
{
    Suite *suite = suite_create("fast");
    bool on_gpu = g->device && strcmp(g->device, "sim") != 0;
    grading = g;
    suite_index = index;
    for (int k = 0; k < stage_count; k++) {
        char name[128];
        if (!g->is_chosen[k] || !speed_find(&stages[k]))
            continue;
        suite_case_name(index, k, name, sizeof name);
        TCase *tests = tcase_create(arena_printf(g->names, "%s", name));
        tcase_set_timeout(tests, LIMIT_S);
        suite_add_cases(g, tests, on_gpu ? measured : duration, k, 1);
        if (!on_gpu && k > 0 && speed_gain(&stages[k]) > 0)
            tcase_add_loop_test(tests, gain, k * CASES_PER_STAGE + 1,
                                k * CASES_PER_STAGE + 2);
        suite_add_tcase(suite, tests);
    }
    return suite;
}
