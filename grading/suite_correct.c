/* The suite *correct*: is the sum right, whatever the launch?
 *
 * For each stage, in this order, so that the first failure is the simplest:
 *
 *   loads    it compiles and has the kernel `reduce`
 *   sizes    every accepted block (the default first) x the list of n, with
 *            integers whose sum is exact: one missing element shows
 *   data     every data set, NaN and inf too
 *   orders   blocks ascending, descending (block 0 last), random
 *   grids    more blocks than needed; 1, 2, 3 where any grid is accepted
 *   offsets  the input starts 1, 2, 3 floats into its allocation
 *   large    more than 2^24 elements
 *
 * Every run is two launches with different inputs (lab/run.h). */
#include "grading/suites.h"

enum { LIMIT_S = 60, LARGE_N = (1 << 24) + 3 };

static const struct grading *grading; /* Check's tests take no argument */
static int suite_index;

static struct run_spec spec_for(const struct bench *b, uint64_t n)
{
    struct run_spec s = run_defaults(&b->kernel);
    s.n = n;
    s.data = DATA_INTEGERS;
    s.seed = 1 + n;
    return s;
}

/* The blocks of a stage with the default one in front. */
static int block_count(const struct stage *stage)
{
    int count = 0;
    while (stage->blocks[count])
        count++;
    return count;
}

static uint32_t block_at(const struct stage *stage, int k)
{
    int seen = 0;
    if (k == 0)
        return stage->default_block;
    for (int i = 0; stage->blocks[i]; i++) {
        if (stage->blocks[i] != stage->default_block && ++seen == k)
            return stage->blocks[i];
    }
    return stage->default_block;
}

START_TEST(loads)
{
    struct bench b;
    bench_open(&b, grading, suite_index, _i);
    bench_close(&b);
}
END_TEST

START_TEST(sizes)
{
    struct bench b;
    uint64_t list[STAGE_SIZES];
    bench_open(&b, grading, suite_index, _i);
    uint32_t block = block_at(b.stage, b.case_number);
    int count = stage_sizes(b.stage, block, list);
    for (int k = 0; k < count; k++) {
        struct run_spec s = spec_for(&b, list[k]);
        s.block = block;
        bench_run(&b, &s);
    }
    bench_close(&b);
}
END_TEST

START_TEST(data)
{
    static const uint64_t list[] = {1, 33, 1000, 100003};
    struct bench b;
    bench_open(&b, grading, suite_index, _i);
    for (int k = 0; k < 4; k++) {
        struct run_spec s = spec_for(&b, list[k]);
        s.data = (enum data_kind)b.case_number;
        bench_run(&b, &s);
    }
    bench_close(&b);
}
END_TEST

START_TEST(orders)
{
    static const enum block_order order[] = {ORDER_ASCENDING, ORDER_DESCENDING,
                                             ORDER_RANDOM, ORDER_RANDOM};
    struct bench b;
    bench_open(&b, grading, suite_index, _i);
    struct run_spec s = spec_for(&b, 20011);
    s.order = order[b.case_number];
    s.seed = 100 + (uint64_t)b.case_number;
    bench_run(&b, &s);
    s.data = DATA_RANDOM;
    bench_run(&b, &s);
    bench_close(&b);
}
END_TEST

START_TEST(grids)
{
    static const uint64_t list[] = {0, 1, 1000, 4099};
    struct bench b;
    bench_open(&b, grading, suite_index, _i);
    for (int k = 0; k < 4; k++) {
        struct run_spec s = spec_for(&b, list[k]);
        uint32_t shared = s.shared < 0 ? s.block * 4 : (uint32_t)s.shared;
        s.grid = b.stage->grid_rule == GRID_FILL
                     ? (uint64_t)b.case_number + 1
                     : stage_grid(b.stage, b.device, s.n, s.block, shared) +
                           (uint64_t)b.case_number * 3;
        bench_run(&b, &s);
    }
    bench_close(&b);
}
END_TEST

START_TEST(offsets)
{
    struct bench b;
    bench_open(&b, grading, suite_index, _i);
    struct run_spec s = spec_for(&b, 4099);
    s.offset = 1 + (uint64_t)b.case_number;
    bench_run(&b, &s);
    bench_close(&b);
}
END_TEST

START_TEST(large)
{
    struct bench b;
    bench_open(&b, grading, suite_index, _i);
    struct run_spec s = spec_for(&b, LARGE_N);
    s.is_single = true;
    bench_run(&b, &s);
    bench_close(&b);
}
END_TEST

Suite *suite_correct(const struct grading *g, int index)
{
    Suite *suite = suite_create("correct");
    grading = g;
    suite_index = index;
    for (int k = 0; k < stage_count; k++) {
        char name[128];
        if (!g->is_chosen[k])
            continue;
        suite_case_name(index, k, name, sizeof name);
        /* Check keeps the pointer, so the name must outlive the run. */
        TCase *tests = tcase_create(arena_printf(g->names, "%s", name));
        tcase_set_timeout(tests, LIMIT_S);
        suite_add_cases(g, tests, loads, k, 1);
        suite_add_cases(g, tests, sizes, k, block_count(&stages[k]));
        suite_add_cases(g, tests, data, k, DATA_KINDS);
        suite_add_cases(g, tests, orders, k, 4);
        suite_add_cases(g, tests, grids, k, 3);
        suite_add_cases(g, tests, offsets, k, 3);
        suite_add_cases(g, tests, large, k, 1);
        suite_add_tcase(suite, tests);
    }
    return suite;
}
