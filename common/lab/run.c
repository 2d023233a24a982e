/* One verified run.  See run.h.
 *
 * The input lies in host memory behind `offset` poison words; the device
 * borrows or copies it.  A GPU gets a very large one in pieces, and the host
 * never holds it as a whole.  Afterwards it is made again, piece by piece, and
 * compared with what the device holds: no second copy of a large array. */
#include "lab/run.h"
#include "base/arena.h"
#include "lab/chart.h"
#include "lab/pieces.h"
#include "lab/reduction.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIECE = 1 << 16,      /* floats compared at once */
    STREAMED_N = 1 << 28, /* floats; more go to a GPU in pieces */
};

/* What one launch works on. */
struct inputs {
    float *host; /* offset + n floats; NULL: only the device has them */
    struct exact_sum sum;
    struct device_buffer *in, *out;
    uint64_t n, seed;
};

static float poison(void)
{
    float value;
    memset(&value, 0xff, sizeof value); /* a NaN, as in fresh memory */
    return value;
}

uint64_t host_memory_available(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    unsigned long long kib = 0;

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib ? (uint64_t)kib * 1024 : UINT64_MAX;
}

/* ---- checks before anything is allocated -------------------------------------- */

static bool check_memory(uint64_t n, uint64_t offset, struct error *e)
{
    uint64_t limit = UINT64_MAX / sizeof(float) / 2;
    uint64_t available = host_memory_available();

    if (n <= limit && offset <= limit - n) {
        uint64_t bytes = (n + offset) * sizeof(float);
        if (bytes <= available - available / 16)
            return true;
    }
    return error_set(e,
                     "n = %llu floats need %.1f GB; this machine has %.1f GB "
                     "left",
                     (unsigned long long)n, 4e-9 * ((double)n + (double)offset),
                     1e-9 * (double)available);
}

static bool check_shape(const struct kernel *k, const struct run_spec *spec,
                        uint64_t grid, uint64_t shared, struct error *e)
{
    const struct device_limits *l = &k->device->limits;
    const struct ptx_function *f = k->function;
    uint32_t fixed = k->device->ops->static_shared(k->module, f);
    int most = f->max_threads[0] ? f->max_threads[0] : (int)l->max_threads;

    if (spec->block < 1 || spec->block > l->max_threads)
        return error_set(e, "block %u: a block has 1 to %u threads",
                         spec->block, l->max_threads);
    if (f->max_threads[0] && (int)spec->block > most)
        return error_set(e, "block %u: the kernel says __launch_bounds__(%d)",
                         spec->block, most);
    if (grid < 1 || grid > l->max_grid[0])
        return error_set(e, "grid %llu: a grid has 1 to %llu blocks",
                         (unsigned long long)grid,
                         (unsigned long long)l->max_grid[0]);
    if (fixed > l->shared_most) /* how much more is not known */
        return error_set(e,
                         "shared memory: the kernel's own arrays have more "
                         "than the %u bytes that a block has at most",
                         l->shared_most);
    if (shared + fixed > l->shared_most)
        return error_set(e,
                         "shared memory: %llu bytes dynamic and %u static; a "
                         "block has at most %u together",
                         (unsigned long long)shared, fixed, l->shared_most);
    return true;
}

/* ---- one launch ----------------------------------------------------------------- */

static bool is_streamed(const struct kernel *k, uint64_t n)
{
    return n > STREAMED_N && k->device->ops->time != NULL;
}

static bool inputs_stream(const struct kernel *k, const struct run_spec *spec,
                          struct inputs *in, struct error *e)
{
    const struct device_ops *ops = k->device->ops;
    uint64_t before = spec->offset * sizeof(float);

    /* Fresh memory is poison already. */
    in->in = ops->buffer_new(k->device, "in", before + in->n * sizeof(float),
                             DEVICE_INPUT, NULL, e);
    return in->in && pieces_upload(k->device, in->in, before, spec->data,
                                   in->seed, in->n, &in->sum, e);
}

static bool inputs_copy(const struct kernel *k, const struct run_spec *spec,
                        struct inputs *in, struct error *e)
{
    uint64_t floats = in->n + spec->offset;

    in->host = large_alloc(floats * sizeof(float));
    if (!in->host)
        return error_set(e, "no memory for %llu floats",
                         (unsigned long long)floats);
    for (uint64_t i = 0; i < spec->offset; i++)
        in->host[i] = poison();
    pieces_fill(spec->data, in->seed, in->n, in->host + spec->offset, &in->sum);
    in->in = k->device->ops->buffer_new(k->device, "in", floats * sizeof(float),
                                        DEVICE_INPUT, in->host, e);
    return in->in != NULL;
}

static bool inputs_make(const struct kernel *k, const struct run_spec *spec,
                        uint64_t n, uint64_t seed, struct inputs *in,
                        struct error *e)
{
    *in = (struct inputs){.n = n, .seed = seed};
    if (!(is_streamed(k, n) ? inputs_stream : inputs_copy)(k, spec, in, e))
        return false;
    in->out = k->device->ops->buffer_new(k->device, "out", sizeof(float),
                                         DEVICE_DATA, NULL, e);
    return in->out != NULL;
}

static void inputs_free(const struct kernel *k, struct inputs *in)
{
    k->device->ops->buffer_free(k->device, in->in);
    k->device->ops->buffer_free(k->device, in->out);
    free(in->host);
}

/* A budget that no right kernel comes near: for each element what v1 needs
 * for a whole warp, and room for grids that are far too large. */
static uint64_t budget_for(const struct run_spec *spec, uint64_t n,
                           uint64_t grid)
{
    if (spec->budget)
        return spec->budget;
    uint64_t warps = grid * ((spec->block + 31) / 32);
    return 100000000 + 100 * n + 10000 * warps;
}

static bool launch(const struct kernel *k, const struct run_spec *spec,
                   const struct inputs *in, uint64_t grid,
                   struct device_result *result, float *value, struct error *e)
{
    const struct device_ops *ops = k->device->ops;
    assert(in->in && in->out); /* inputs_make() made them */
    struct {
        uint64_t in, out, n;
    } params = {in->in->address + spec->offset * sizeof(float),
                in->out->address, in->n};
    const struct device_launch what = {
        .module = k->module,
        .kernel = k->function,
        .grid = {(uint32_t)grid, 1, 1},
        .block = {spec->block, 1, 1},
        .dynamic_shared = (uint32_t)spec->shared,
        .params = &params,
        .params_bytes = sizeof params,
        .order = spec->order,
        .seed = spec->seed,
        .budget = budget_for(spec, in->n, grid),
        .threads = spec->threads,
        .checks = spec->checks,
        .counters = spec->counters,
        .gpu = spec->gpu,
        .watchers = spec->watchers,
        .watcher_count = spec->watcher_count,
        .progress = spec->progress,
        .progress_data = spec->progress_data,
        .cancel = spec->cancel,
    };
    const float first = spec->reduction ? spec->reduction->identity : 0;

    return ops->upload(k->device, in->out, 0, &first, sizeof first, e) &&
           ops->launch(k->device, &what, result, e) &&
           ops->download(k->device, in->out, 0, value, sizeof *value, e);
}

/* ---- judging -------------------------------------------------------------------- */

static enum element_kind element_kind(enum data_kind data)
{
    switch (data) {
    case DATA_INTEGERS: return ELEMENTS_WHOLE;
    case DATA_ONES: return ELEMENTS_ONES;
    case DATA_RANDOM: return ELEMENTS_MIXED;
    default: return ELEMENTS_ANY;
    }
}

static struct expected expectation(const struct kernel *k,
                                   const struct run_spec *spec,
                                   const struct inputs *in)
{
    if (spec->reduction)
        return reduction_expect(spec->reduction, spec->data, in->seed, in->n);
    return expect_sum(&in->sum, stage_chain(k->stage, in->n),
                      element_kind(spec->data));
}

/* The first index where the bits differ (NaNs are poison here), or count. */
static uint64_t first_difference(const float *a, const float *b, uint64_t count)
{
    const void *x = a, *y = b;

    if (memcmp(x, y, count * sizeof *a) == 0)
        return count;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t p, q;
        memcpy(&p, &a[i], sizeof p);
        memcpy(&q, &b[i], sizeof q);
        if (p != q)
            return i;
    }
    return count;
}

static float *piece_again(const struct run_spec *spec, const struct inputs *in,
                          uint64_t at, uint64_t count, float *piece)
{
    uint64_t front = at < spec->offset ? spec->offset - at : 0;

    if (front > count)
        front = count;
    for (uint64_t i = 0; i < front; i++)
        piece[i] = poison();
    if (count > front)
        data_fill(spec->data, in->seed, in->n, at + front - spec->offset,
                  count - front, piece + front);
    return piece;
}

/* Whether the device still holds what it was given. */
static bool is_unchanged(const struct kernel *k, const struct run_spec *spec,
                         const struct inputs *in, char *reason, size_t size)
{
    uint64_t total = in->n + spec->offset;
    float *was = checked_alloc(2 * PIECE * sizeof(float)), *is = was + PIECE;
    struct error ignored;
    bool same = true;

    /* Of an input that only the device holds, a sample: making it again takes
     * one core minutes. */
    uint64_t step = in->host ? PIECE : 61 * (uint64_t)PIECE;

    for (uint64_t at = 0; same && at < total; at += step) {
        uint64_t count = total - at < PIECE ? total - at : PIECE;
        piece_again(spec, in, at, count, was);
        same = k->device->ops->download(k->device, in->in, at * sizeof(float),
                                        is, count * sizeof(float), &ignored);
        uint64_t i = same ? first_difference(was, is, count) : 0;
        if (i == count)
            continue;
        same = false;
        snprintf(reason, size,
                 "the kernel changed its input: in[%lld] was %.9g and is %.9g "
                 "now",
                 (long long)(at + i) - (long long)spec->offset, (double)was[i],
                 (double)is[i]);
    }
    free(was);
    return same;
}

/* A wrong sum that missed elements is a wrong sum; the finding that names
 * them goes along with it. */
static bool has_errors(const struct finding_list *list, bool correct)
{
    int errors = 0, of_coverage = 0;
    for (int i = 0; i < list->count; i++) {
        bool is_error = list->items[i].severity == SEVERITY_ERROR;
        errors += is_error;
        of_coverage += is_error && !strcmp(list->items[i].kind, "coverage");
    }
    return correct ? errors > 0 : errors > of_coverage;
}

static bool stopped_early(const struct device_result *launch, bool correct,
                          struct run_result *r)
{
    if (launch->stop == DEVICE_CANCELLED)
        r->verdict = VERDICT_CANCELLED;
    else if (launch->stop == DEVICE_FAILED ||
             has_errors(&launch->findings, correct))
        r->verdict = VERDICT_FINDINGS;
    else
        return false;
    return true;
}

static bool first_launch(const struct kernel *k, const struct run_spec *spec,
                         struct run_result *r, struct error *e)
{
    struct inputs in;
    bool ok = inputs_make(k, spec, spec->n, spec->seed, &in, e);

    if (ok) {
        r->expected = expectation(k, spec, &in);
        ok = launch(k, spec, &in, r->grid, &r->launch, &r->value, e);
    }
    if (ok) {
        r->error = (double)r->value - r->expected.value;
        if ((double)r->value == r->expected.value)
            r->error = 0; /* inf - inf */
        r->correct = value_is_right(&r->expected, r->value);
        if (r->launch.stop == DEVICE_CANCELLED) {
            r->verdict = VERDICT_CANCELLED;
        } else if (!r->correct) {
            r->verdict = VERDICT_WRONG;
            /* If it was stopped, a finding says more. */
            if (r->launch.stop == DEVICE_DONE && !spec->reduction)
                value_diagnose(&r->expected, r->value,
                               in.host ? in.host + spec->offset : NULL, in.n,
                               spec->block, r->reason, sizeof r->reason);
        } else if (!is_unchanged(k, spec, &in, r->reason, sizeof r->reason)) {
            r->verdict = VERDICT_INPUT;
        }
        stopped_early(&r->launch, r->correct, r);
    }
    inputs_free(k, &in);
    return ok;
}

static bool second_launch(const struct kernel *k, const struct run_spec *spec,
                          struct run_result *r, struct error *e)
{
    struct inputs in;
    struct device_result again = {0};

    struct run_spec uncounted = *spec;

    uncounted.counters = false;
    uncounted.gpu = NULL;
    r->again_n = spec->n < REPEAT_N ? spec->n : REPEAT_N;
    uint64_t grid = spec->grid || spec->n <= REPEAT_N
                        ? r->grid
                        : stage_grid(k->stage, k->device, r->again_n,
                                     spec->block, r->shared_bytes);
    bool ok = inputs_make(k, spec, r->again_n, spec->seed + 1, &in, e);
    if (ok) {
        r->again_expected = expectation(k, spec, &in);
        ok = launch(k, &uncounted, &in, grid, &again, &r->again_value, e);
    }
    bool right = ok && value_is_right(&r->again_expected, r->again_value);
    r->correct = r->correct && right;
    if (ok && !stopped_early(&again, right, r) && !right) {
        r->verdict = VERDICT_WRONG_AGAIN;
        snprintf(r->reason, sizeof r->reason,
                 "the first launch was right; the second, on other data with "
                 "n = %llu, gave %.9g instead of %.9g: the kernel keeps "
                 "something from launch to launch (a __device__ variable, a "
                 "counter that is not set back?)",
                 (unsigned long long)r->again_n, (double)r->again_value,
                 r->again_expected.value);
    }
    if (ok)
        finding_join(&r->launch.findings, &again.findings);
    device_result_free(&again);
    inputs_free(k, &in);
    return ok;
}

bool run_kernel(const struct kernel *k, const struct run_spec *given,
                struct run_result *r, struct error *e)
{
    struct run_spec spec = *given;

    *r = (struct run_result){.n = spec.n, .block = spec.block};
    if (spec.shared < 0)
        spec.shared = (int64_t)spec.block * 4;
    r->grid = spec.grid;
    if (!r->grid && spec.block)
        r->grid = stage_grid(k->stage, k->device, spec.n, spec.block,
                             (uint32_t)spec.shared);
    if ((k->stage && !stage_block_check(k->stage, spec.block, e)) ||
        !(is_streamed(k, spec.n) || check_memory(spec.n, spec.offset, e)) ||
        !check_shape(k, &spec, r->grid, (uint64_t)spec.shared, e))
        return false;
    r->shared_bytes = (uint32_t)spec.shared;
    if (!first_launch(k, &spec, r, e) ||
        (r->verdict == VERDICT_RIGHT && !spec.is_single &&
         !second_launch(k, &spec, r, e))) {
        run_result_free(r);
        return false;
    }
    finding_drop_excuses(&r->launch.findings, r->correct,
                         element_kind(spec.data) >= ELEMENTS_WHOLE);
    finding_sort(&r->launch.findings);
    r->passed = r->verdict == VERDICT_RIGHT;
    return true;
}

bool run_shown(const struct kernel *k, const struct run_spec *spec,
               const char *what, struct run_result *r, struct error *e)
{
    struct run_spec shown = *spec;
    struct ticker ticker = {.what = what};
    shown.progress = ticker_show;
    shown.progress_data = &ticker;
    bool ran = run_kernel(k, &shown, r, e);
    ticker_clear(&ticker);
    return ran;
}

void run_result_free(struct run_result *r)
{
    device_result_free(&r->launch);
}

struct run_spec run_defaults(const struct kernel *k)
{
    return (struct run_spec){
        .n = 1 << 20,
        .block = k->stage ? k->stage->default_block : 256,
        .shared = -1,
        .data = DATA_RANDOM,
        .seed = 1,
        .checks = checks_all(),
    };
}

const char *verdict_word(enum verdict verdict)
{
    static const char *const words[] = {
        [VERDICT_RIGHT] = "passed",
        [VERDICT_FINDINGS] = "failed",
        [VERDICT_WRONG] = "wrong sum",
        [VERDICT_WRONG_AGAIN] = "wrong the second time",
        [VERDICT_INPUT] = "input changed",
        [VERDICT_CANCELLED] = "stopped",
    };
    return words[verdict];
}

/* ---- for probes ----------------------------------------------------------------- */

bool run_plain(const struct kernel *k, const struct run_spec *given,
               const float *x, float *out, struct error *e)
{
    struct run_spec spec = *given;
    const struct device_ops *ops = k->device->ops;
    struct device_result result = {0};
    struct inputs in = {.n = spec.n};

    spec.offset = 0;
    spec.checks = 0; /* nobody reads the findings */
    if (spec.shared < 0)
        spec.shared = (int64_t)spec.block * 4;
    uint64_t grid = spec.grid ? spec.grid
                              : stage_grid(k->stage, k->device, spec.n,
                                           spec.block, (uint32_t)spec.shared);
    /* The input's role keeps the kernel from writing to the caller's array. */
    in.in = ops->buffer_new(k->device, "in", spec.n * sizeof(float),
                            DEVICE_INPUT, (void *)x, e);
    if (in.in)
        in.out = ops->buffer_new(k->device, "out", sizeof(float), DEVICE_DATA,
                                 NULL, e);
    bool ok = in.in && in.out &&
              check_shape(k, &spec, grid, (uint64_t)spec.shared, e) &&
              launch(k, &spec, &in, grid, &result, out, e);
    if (ok && result.stop != DEVICE_DONE)
        ok = error_set(e, "the kernel did not run to its end");
    device_result_free(&result);
    inputs_free(k, &in);
    return ok;
}
