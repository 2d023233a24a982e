/* The recorder of one block: its numbers are the counters', its steps keep
 * every record once and in each warp's order, and where warps race the order
 * stays the one in which it happened. */
#include "base/text.h"
#include "lab/run.h"
#include "watch/trace.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct traced {
    struct device *device;
    struct kernel kernel;
    struct watcher *watcher;
    struct run_result result;
    const struct trace *trace;
};

static void trace_text(struct traced *t, const char *ptx, size_t length,
                       uint64_t n, uint32_t block, uint64_t grid,
                       uint64_t which)
{
    struct error e;
    memset(t, 0, sizeof *t);
    t->device = device_open("sim", &e);
    struct kernel *k = &t->kernel;
    k->device = t->device;
    k->program = ptx_load("t.ptx", ptx, length, &e);
    ck_assert_msg(k->program != NULL, "%s", e.text);
    k->function = ptx_find_function(k->program, "reduce");
    k->module = t->device->ops->load(t->device, k->program, &e);
    ck_assert_ptr_nonnull(k->module);
    t->watcher = trace_watcher(which);
    struct run_spec spec = {.n = n,
                            .block = block,
                            .grid = grid,
                            .shared = -1,
                            .data = DATA_INTEGERS,
                            .seed = 1,
                            .budget = 1000000,
                            .threads = 2,
                            .counters = true,
                            .is_single = true,
                            .watchers = &t->watcher,
                            .watcher_count = 1};
    ck_assert_msg(run_kernel(k, &spec, &t->result, &e), "%s", e.text);
    t->trace = trace_watcher_result(t->watcher);
}

static void trace_golden(struct traced *t, const char *name, uint64_t n,
                         uint32_t block, uint64_t grid, uint64_t which)
{
    struct text text = {0};
    struct error e;
    char path[200];
    snprintf(path, sizeof path, "tests/golden/ptx/%s.ptx", name);
    ck_assert_msg(text_read_file(&text, path, 1 << 20, &e), "%s", e.text);
    trace_text(t, text.data, text.length, n, block, grid, which);
    text_free(&text);
}

static void done(struct traced *t)
{
    trace_watcher_free(t->watcher);
    run_result_free(&t->result);
    t->device->ops->unload(t->device, t->kernel.module);
    ptx_free(t->kernel.program);
    device_close(t->device);
}

/* ---- numbers ----------------------------------------------------------------------*/

static const struct {
    const char *name;
    uint64_t items; /* elements a thread, for a grid of one block */
} ladder[] = {{"v0_atomic", 1},
              {"v1_interleaved", 1},
              {"v2_strided", 1},
              {"v3_sequential", 1},
              {"v4_first_add", 2},
              {"v5_unroll_last_warp", 2},
              {"v6_gridstride_shuffle", 3}};
static const uint32_t blocks[] = {64, 256, 1024};

static void same_as_counters(const struct traced *t, const char *name)
{
    const struct trace_totals *sum = &t->trace->totals;
    const uint64_t *c = t->result.launch.counters->total;
    const struct {
        const char *what;
        uint64_t ours, theirs;
    } pairs[] = {
        {"barriers", sum->barriers, c[COUNT_BARRIER]},
        {"warp syncs", sum->warp_syncs, c[COUNT_WARP_SYNC]},
        {"shuffles", sum->shuffles, c[COUNT_SHUFFLE]},
        {"loads, wavefronts", sum->wave_ld, c[COUNT_WAVE_LD]},
        {"stores, wavefronts", sum->wave_st, c[COUNT_WAVE_ST]},
        {"conflicts", sum->conflicts,
         c[COUNT_CONFLICT_LD] + c[COUNT_CONFLICT_ST]},
        {"global loads", sum->request_ld, c[COUNT_REQUEST_LD]},
        {"sectors", sum->sector_ld, c[COUNT_SECTOR_LD]},
        {"atomics", sum->atomic_lanes, c[COUNT_ATOMIC_LANES]},
        {"instructions", sum->instructions, t->result.launch.warp_instructions},
        {"thread instructions", sum->thread_instructions,
         t->result.launch.thread_instructions},
    };
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        ck_assert_msg(pairs[k].ours == pairs[k].theirs,
                      "%s, block %u: %s %llu, counted %llu", name,
                      t->trace->threads, pairs[k].what,
                      (unsigned long long)pairs[k].ours,
                      (unsigned long long)pairs[k].theirs);
}

/* What the records say one by one, added up. */
static void records_add_up(const struct trace *t)
{
    uint64_t instructions = 0, threads = 0, waves = 0, sectors = 0;
    for (int k = 0; k < t->record_count; k++) {
        const struct trace_record *r = &t->records[k];
        instructions += r->instructions;
        threads += r->thread_instructions;
        if (r->address && r->space == SPACE_SHARED)
            waves += (uint64_t)r->cost * r->times;
        else if (r->kind == EVENT_LOAD)
            sectors += (uint64_t)r->cost * r->times;
    }
    ck_assert_uint_eq(instructions, t->totals.instructions);
    ck_assert_uint_eq(threads, t->totals.thread_instructions);
    ck_assert_uint_eq(waves, t->totals.wave_ld + t->totals.wave_st);
    ck_assert_uint_eq(sectors, t->totals.sector_ld);
}

/* Every record is in one step; those of a warp in the order of the warp. */
static void steps_are_whole(const struct trace *t)
{
    int last[32], seen = 0;
    memset(last, -1, sizeof last);
    for (int s = 0; s < t->step_count; s++) {
        ck_assert_int_lt(t->steps[s], t->steps[s + 1]);
        for (int at = t->steps[s]; at < t->steps[s + 1]; at++, seen++) {
            const struct trace_record *r = &t->records[t->order[at]];
            ck_assert_int_gt(t->order[at], last[r->warp]);
            last[r->warp] = t->order[at];
            ck_assert_ptr_eq(r->insn, t->records[t->order[t->steps[s]]].insn);
        }
    }
    ck_assert_int_eq(seen, t->record_count);
}

START_TEST(numbers_are_the_counters)
{
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        struct traced t;
        trace_golden(&t, ladder[_i].name, blocks[b] * ladder[_i].items,
                     blocks[b], 1, 0);
        ck_assert(t.result.passed);
        ck_assert(t.trace->was_run);
        ck_assert(!t.trace->is_cut);
        ck_assert(t.trace->is_in_step);
        same_as_counters(&t, ladder[_i].name);
        records_add_up(t.trace);
        steps_are_whole(t.trace);
        done(&t);
    }
}
END_TEST

/* The same step has all warps that do the same, so a block of four warps takes
 * about as many steps as one of two. */
START_TEST(warps_go_together)
{
    struct traced small, large;
    trace_golden(&small, "v3_sequential", 64, 64, 1, 0);
    trace_golden(&large, "v3_sequential", 128, 128, 1, 0);
    ck_assert_int_gt(large.trace->record_count,
                     3 * small.trace->record_count / 2);
    ck_assert_int_lt(large.trace->step_count, 3 * small.trace->step_count / 2);
    done(&small);
    done(&large);
}
END_TEST

/* ---- values --------------------------------------------------------------------------*/

static float value_of(const struct trace_record *r, int lane)
{
    float f;
    memcpy(&f, r->value + (size_t)lane * r->size, sizeof f);
    return f;
}

static const struct trace_record *last_of(const struct trace *t,
                                          enum event_kind kind)
{
    for (int k = t->record_count - 1; k >= 0; k--)
        if (t->records[k].kind == kind)
            return &t->records[k];
    return NULL;
}

START_TEST(the_last_atomic_brings_the_sum)
{
    struct traced t;
    trace_golden(&t, ladder[_i].name, 128 * ladder[_i].items, 128, 1, 0);
    const struct trace_record *r = last_of(t.trace, EVENT_ATOMIC);
    ck_assert_ptr_nonnull(r);
    ck_assert_ptr_nonnull(r->value);
    if (_i > 0) {
        ck_assert_uint_eq(r->active, 1);
        ck_assert_float_eq(value_of(r, 0), t.result.value);
    } else { /* v0: each lane its own element */
        ck_assert_uint_eq(r->active, UINT32_MAX);
        ck_assert_uint_eq(r->in_queue, 32);
    }
    done(&t);
}
END_TEST

START_TEST(conflicts_have_a_degree)
{
    struct traced t;
    uint32_t worst = 0;
    trace_golden(&t, "v2_strided", 256, 256, 1, 0);
    for (int k = 0; k < t.trace->record_count; k++) {
        const struct trace_record *r = &t.trace->records[k];
        if (r->space == SPACE_SHARED && r->cost > worst)
            worst = r->cost;
    }
    ck_assert_uint_eq(worst, 8); /* 32 lanes, every eighth word */
    done(&t);
    trace_golden(&t, "v3_sequential", 256, 256, 1, 0);
    for (int k = 0; k < t.trace->record_count; k++)
        if (t.trace->records[k].space == SPACE_SHARED)
            ck_assert_uint_eq(t.trace->records[k].cost, 1);
    done(&t);
}
END_TEST

START_TEST(queue_has_all_blocks)
{
    struct traced t;
    trace_golden(&t, "v0_atomic", 1000, 64, 0, 3);
    ck_assert_uint_eq(t.trace->block, 3);
    ck_assert_int_eq(t.trace->queue_count, 16);
    for (int k = 0; k < 15; k++)
        ck_assert_uint_eq(t.trace->queue[k].lanes, 64);
    ck_assert_uint_eq(t.trace->queue[15].lanes, 1000 - 15 * 64);
    done(&t);
    trace_golden(&t, "v0_atomic", 1000, 64, 0, 16);
    ck_assert(!t.trace->was_run); /* there are 16, 0 to 15 */
    ck_assert_int_eq(t.trace->step_count, 0);
    done(&t);
}
END_TEST

/* ---- odd kernels -----------------------------------------------------------------------*/

#define HEAD                                                                   \
    ".version 7.0\n.target sm_80\n.address_size 64\n"                          \
    ".visible .entry reduce(.param .u64 a, .param .u64 b, .param .u64 c)\n{\n" \
    ".reg .pred %p<4>; .reg .f32 %f<6>; .reg .b32 %r<8>; .reg .b64 %d<8>;\n"   \
    ".shared .align 4 .b8 s[512];\nld.param.u64 %d2, [b];\n"                   \
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, s;\nshl.b32 %r3, %r1, 2;\n"            \
    "add.u32 %r2, %r2, %r3;\ncvt.rn.f32.u32 %f1, %r1;\n"

/* Thread t reads the word of thread 127 - t, with a barrier and without. */
#define EXCHANGE(barrier)                                                   \
    HEAD                                                                    \
        "st.shared.f32 [%r2], %f1;\n" barrier                               \
        "sub.u32 %r4, 508, %r3;\nmov.u32 %r5, s;\nadd.u32 %r4, %r4, %r5;\n" \
        "ld.shared.f32 %f2, [%r4];\nred.global.add.f32 [%d2], %f2;\nret;\n}\n"

START_TEST(a_race_stays_as_it_happened)
{
    static const char good[] = EXCHANGE("bar.sync 0;\n");
    static const char bad[] = EXCHANGE("");
    struct traced t;
    trace_text(&t, good, sizeof good - 1, 128, 128, 1, 0);
    ck_assert(t.trace->is_in_step);
    steps_are_whole(t.trace);
    done(&t);
    trace_text(&t, bad, sizeof bad - 1, 128, 128, 1, 0);
    ck_assert(!t.trace->is_in_step);
    ck_assert_int_eq(t.trace->step_count, t.trace->record_count);
    steps_are_whole(t.trace);
    records_add_up(t.trace);
    done(&t);
}
END_TEST

START_TEST(long_ones_are_cut)
{
    struct traced t;
    trace_golden(&t, "v6_gridstride_shuffle", 300000, 64, 1, 0);
    ck_assert(t.trace->is_cut);
    ck_assert_int_le(t.trace->record_count, TRACE_RECORDS);
    steps_are_whole(t.trace);
    same_as_counters(&t, "v6, long"); /* totals go on */
    done(&t);
}
END_TEST

/* Warp 0 waits for a word that warp 1 writes: rounds that read the same are
 * one, the one that reads another value stays apart. */
START_TEST(rounds_of_a_loop_are_one)
{
    static const char waits[] =
        HEAD "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra give;\n"
             "wait:\nld.volatile.shared.u32 %r4, [s+256];\n"
             "setp.ne.u32 %p2, %r4, 7;\n@%p2 bra wait;\nbra end;\n"
             "give:\nst.volatile.shared.u32 [s+256], 7;\nend:\nret;\n}\n";
    struct traced t;
    int loads = 0;
    uint64_t rounds = 0;
    trace_text(&t, waits, sizeof waits - 1, 64, 64, 1, 0);
    for (int k = 0; k < t.trace->record_count; k++) {
        const struct trace_record *r = &t.trace->records[k];
        loads += r->kind == EVENT_LOAD;
        rounds += r->kind == EVENT_LOAD ? r->times : 0;
    }
    ck_assert_int_eq(loads, 2); /* not yet, and then */
    ck_assert_uint_gt(rounds, 2);
    ck_assert_uint_eq(rounds, t.trace->totals.wave_ld);
    ck_assert(!t.trace->is_in_step); /* it waits without a barrier */
    records_add_up(t.trace);
    steps_are_whole(t.trace);
    done(&t);
}
END_TEST

/* As JSON it must stay under a megabyte for 256 threads. */
START_TEST(wide_ones_are_cut_by_size)
{
    struct traced t;
    uint64_t bytes = 0;
    trace_golden(&t, "v6_gridstride_shuffle", 1000000, 256, 1, 0);
    ck_assert(t.trace->is_cut);
    for (int k = 0; k < t.trace->record_count; k++)
        bytes += trace_record_bytes(&t.trace->records[k]);
    ck_assert_uint_gt(bytes, 8 * (uint64_t)TRACE_BYTES * 9 / 10);
    ck_assert_uint_lt(bytes, 8 * ((uint64_t)TRACE_BYTES + 2000));
    steps_are_whole(t.trace);
    same_as_counters(&t, "v6, wide");
    done(&t);
}
END_TEST

START_TEST(a_trap_and_an_endless_loop_are_records)
{
    static const char trap[] = HEAD "setp.eq.u32 %p1, %r1, 40;\n@%p1 trap;\n"
                                    "bar.sync 0;\nret;\n}\n";
    struct traced t;
    trace_text(&t, trap, sizeof trap - 1, 128, 128, 1, 0);
    const struct trace_record *r = last_of(t.trace, EVENT_TRAP);
    ck_assert_ptr_nonnull(r);
    ck_assert_uint_eq(r->warp, 1);
    ck_assert_uint_eq(r->active, 1u << 8);
    done(&t);
    static const char endless[] =
        HEAD "again:\nadd.u32 %r4, %r4, 1;\nsetp.ne.u32 %p1, %r1, 1000;\n"
             "@%p1 bra again;\nret;\n}\n";
    trace_text(&t, endless, sizeof endless - 1, 32, 32, 1, 0);
    ck_assert(!t.trace->is_cut); /* all its rounds are one */
    ck_assert_int_le(t.trace->record_count, 3);
    ck_assert_uint_gt(t.trace->records[0].times, 100000);
    ck_assert_ptr_nonnull(last_of(t.trace, EVENT_STUCK));
    records_add_up(t.trace);
    done(&t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("trace");
    TCase *all = tcase_create("trace");
    int stages = sizeof ladder / sizeof *ladder;
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, numbers_are_the_counters, 0, stages);
    tcase_add_loop_test(all, the_last_atomic_brings_the_sum, 0, stages);
    tcase_add_test(all, warps_go_together);
    tcase_add_test(all, conflicts_have_a_degree);
    tcase_add_test(all, queue_has_all_blocks);
    tcase_add_test(all, a_race_stays_as_it_happened);
    tcase_add_test(all, long_ones_are_cut);
    tcase_add_test(all, rounds_of_a_loop_are_one);
    tcase_add_test(all, wide_ones_are_cut_by_size);
    tcase_add_test(all, a_trap_and_an_endless_loop_are_records);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
