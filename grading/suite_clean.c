/* The suite *clean*: does the kernel do nothing that is never right?
 *
 * The sum may come out by luck: threads that the simulator, or this GPU, runs
 * in a kind order.  So each stage runs under all checks, with garbage (NaN) in
 * shared memory and
 *
 *   orders   blocks ascending, descending (block 0 last), and random with the
 *            warps of each block and the lanes of atomics shuffled, too
 *   blocks   every accepted block size with a partly filled last block
 *   garbage  sizes that leave most of a warp, a block, the grid without work
 *
 * and every run is also the coverage proof: each element of the input is
 * read, and the sum is right.  So a kernel that samples and rescales, writes
 * a fixed number, or gives a remembered answer back fails here, with the
 * elements named. */
#include "grading/suites.h"

#include <string.h>

enum { LIMIT_S = 60, ORDERS = 6 };

static const struct grading *grading; /* Check's tests take no argument */
static int suite_index;

static struct run_spec spec_for(const struct bench *b, uint64_t n)
{
    struct run_spec s = run_defaults(&b->kernel);
    struct error ignored;
    s.n = n;
    s.data = DATA_RANDOM;
    s.seed = 7 + n;
    checks_parse("all,coverage", &s.checks, &ignored);
    return s;
}

START_TEST(orders)
{
    static const uint64_t list[] = {33, 1000, 20011};
    struct bench b;
    bench_open(&b, grading, suite_index, _i);
    for (int k = 0; k < 3; k++) {
        struct run_spec s = spec_for(&b, list[k]);
        s.order = b.case_number < ORDER_RANDOM ? (enum block_order)b.case_number
                                               : ORDER_RANDOM;
        s.seed = 100 + (uint64_t)b.case_number;
        bench_run_clean(&b, &s);
    }
    bench_close(&b);
}
END_TEST

START_TEST(blocks)
{
    struct bench b;
    bench_open(&b, grading, suite_index, _i);
    uint32_t block = b.stage->blocks[b.case_number];
    const uint64_t tile = (uint64_t)block * b.stage->items;
    const uint64_t list[] = {1, block - 1, tile, 3 * tile + 5};
    for (int k = 0; k < 4; k++) {
        struct run_spec s = spec_for(&b, list[k]);
        s.block = block;
        s.order = k % 2 ? ORDER_RANDOM : ORDER_DESCENDING;
        bench_run_clean(&b, &s);
    }
    bench_close(&b);
}
END_TEST

START_TEST(garbage)
{
    static const uint64_t list[] = {0, 1, 2, 31, 32, 65, 4099, 100003};
    struct bench b;
    bench_open(&b, grading, suite_index, _i);
    for (int k = 0; k < 8; k++) {
        struct run_spec s = spec_for(&b, list[k]);
        s.data = DATA_INTEGERS;
        s.offset = (uint64_t)k % 4;
        bench_run_clean(&b, &s);
    }
    bench_close(&b);
}
END_TEST

static int block_count(const struct stage *stage)
{
    int count = 0;
    while (stage->blocks[count])
        count++;
    return count;
}

Suite *suite_clean(const struct grading *g, int index)
{
    Suite *suite = suite_create("clean");
    grading = g;
    suite_index = index;
    for (int k = 0; k < stage_count; k++) {
        char name[128];
        if (!g->is_chosen[k])
            continue;
        suite_case_name(index, k, name, sizeof name);
        TCase *tests = tcase_create(arena_printf(g->names, "%s", name));
        tcase_set_timeout(tests, LIMIT_S);
        suite_add_cases(g, tests, orders, k, ORDERS);
        suite_add_cases(g, tests, blocks, k, block_count(&stages[k]));
        suite_add_cases(g, tests, garbage, k, 1);
        suite_add_tcase(suite, tests);
    }
    return suite;
}
