/* The suite *concept*: is the idea of the stage there, or only its sum?
 *
 * The stage's budgets (lab/budget.h) are exact counts of the simulator, so
 * the verdict is the same on every machine.  A kernel that gives a wrong sum
 * has no idea worth counting: it fails here as well. */
#include "grading/suites.h"
#include "lab/budget.h"

#include <string.h>

enum { LIMIT_S = 60 };

static const struct grading *grading; /* Check's tests take no argument */
static struct grading on_simulator;
static int suite_index;

static bool is_for(const struct budget *b, const struct stage *stage)
{
    return strcmp(b->stage, stage->name) == 0;
}

static int budgets_of(const struct stage *stage)
{
    int count = 0;
    for (int k = 0; k < budget_count; k++)
        count += is_for(&budgets[k], stage);
    return count;
}

static struct run_spec spec_for(const struct bench *b)
{
    struct run_spec s = run_defaults(&b->kernel);
    s.n = BUDGET_N;
    s.block = BUDGET_BLOCK;
    s.data = DATA_INTEGERS;
    s.checks = 0;
    s.is_single = true;
    return s;
}

START_TEST(right)
{
    struct bench b;
    bench_open(&b, grading, suite_index, _i);
    struct run_spec s = spec_for(&b);
    bench_run(&b, &s);
    bench_close(&b);
}
END_TEST

START_TEST(budget)
{
    struct bench b;
    char told[1200];
    bench_open(&b, grading, suite_index, _i);
    int which = b.case_number;
    struct run_spec s = spec_for(&b);
    struct counters *c = bench_count(&b, &s);
    for (int k = 0; k < budget_count; k++) {
        if (!is_for(&budgets[k], b.stage) || which-- > 0)
            continue;
        double measured = budget_measure(&budgets[k], c, s.n);
        if (budget_kept(&budgets[k], measured))
            break;
        budget_tell(&budgets[k], c, measured, told, sizeof told);
        bench_fail(&b, "%s Hint: %s", told, b.stage->hints[1]);
    }
    counters_free(c);
    bench_close(&b);
}
END_TEST

/* Random data: an order of its own shows in the last bits. */
START_TEST(fixed_order)
{
    struct bench b;
    float sum = 0;
    bench_open(&b, grading, suite_index, _i);
    struct run_spec s = spec_for(&b);
    s.n = BUDGET_N + 77;
    s.data = DATA_RANDOM;
    for (int k = ORDER_ASCENDING; k <= ORDER_RANDOM; k++) {
        s.order = (enum block_order)k;
        float now = bench_sum(&b, &s);
        if (k > 0 && now != sum) /* neither is NaN: both are right */
            bench_fail(&b,
                       "the blocks came in another order, and the sum is "
                       "%.9g, not %.9g: add what they left in one fixed "
                       "order, such as by block. Hint: %s",
                       (double)now, (double)sum, b.stage->hints[1]);
        sum = now;
    }
    bench_close(&b);
}
END_TEST

Suite *suite_concept(const struct grading *g, int index)
{
    Suite *suite = suite_create("concept");
    on_simulator = *g;
    on_simulator.device = "sim";
    grading = &on_simulator;
    suite_index = index;
    for (int k = 0; k < stage_count; k++) {
        char name[128];
        if (!g->is_chosen[k])
            continue;
        suite_case_name(index, k, name, sizeof name);
        TCase *tests = tcase_create(arena_printf(g->names, "%s", name));
        tcase_set_timeout(tests, LIMIT_S);
        suite_add_cases(g, tests, right, k, 1);
        suite_add_cases(g, tests, budget, k, budgets_of(&stages[k]));
        suite_add_cases(g, tests, fixed_order, k, stages[k].is_fixed_order);
        suite_add_tcase(suite, tests);
    }
    return suite;
}
