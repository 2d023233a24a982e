/* Measuring kernels beside each other.  See timing.h. */
#include "lab/timing.h"
#include "base/arena.h"
#include "lab/compare.h"
#include "lab/pieces.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 31, WARM_UP = 2, BACK = 20, MAX_SLICES = 1 << 15 };
static const double LONG_MS = 400; /* for all runs of one kernel */

/* One input among those that rotate. */
struct slice {
    struct expected expected;
    float first; /* the value of its first element now */
};

struct bench {
    struct device *device;
    const struct timing_spec *spec;
    struct device_buffer *in, *out; /* out: BACK words, far enough apart */
    struct slice *slices;
    uint64_t count, stride; /* floats from slice to slice */
    uint64_t next;          /* runs so far */
};

enum { OUT_STRIDE = 64 }; /* floats between two output words */

/* ---- inputs --------------------------------------------------------------------- */

static bool slices_make(struct bench *b, struct error *e)
{
    const struct device_ops *ops = b->device->ops;
    uint64_t n = b->spec->n;
    uint64_t wanted = 2 * b->device->limits.l2_bytes + 1;

    b->stride = (n + 63) / 64 * 64;
    if (b->stride == 0)
        b->stride = 64;
    b->count = wanted / (b->stride * sizeof(float)) + 2;
    if (n * sizeof(float) > wanted)
        b->count = 2;
    if (b->count > MAX_SLICES)
        b->count = MAX_SLICES;
    b->slices = checked_alloc(b->count * sizeof *b->slices);
    b->in =
        ops->buffer_new(b->device, "in", b->count * b->stride * sizeof(float),
                        DEVICE_INPUT, NULL, e);
    b->out = b->in ? ops->buffer_new(b->device, "out",
                                     BACK * OUT_STRIDE * sizeof(float),
                                     DEVICE_DATA, NULL, e)
                   : NULL;
    bool ok = b->in && b->out;
    for (uint64_t k = 0; ok && k < b->count; k++) {
        struct exact_sum sum = {0};
        ok = pieces_upload(b->device, b->in, k * b->stride * sizeof(float),
                           DATA_RANDOM, b->spec->seed + k, n, &sum, e);
        b->slices[k].expected = expect_sum(&sum, n, ELEMENTS_MIXED);
        if (n)
            data_fill(DATA_RANDOM, b->spec->seed + k, n, 0, 1,
                      &b->slices[k].first);
    }
    return ok;
}

static void slices_free(struct bench *b)
{
    b->device->ops->buffer_free(b->device, b->in);
    b->device->ops->buffer_free(b->device, b->out);
    free(b->slices);
}

/* The next input, with a first element that it never had. */
static bool slice_next(struct bench *b, uint64_t *index, struct error *e)
{
    assert(b->count > 0);
    uint64_t k = b->next++ % b->count;
    struct slice *s = &b->slices[k];
    float fresh = 1.0f + (float)(b->next % 8191) / 8192.0f;

    *index = k;
    if (b->spec->n == 0)
        return true;
    s->expected.value += (double)fresh - (double)s->first;
    s->first = fresh;
    return b->device->ops->upload(b->device, b->in,
                                  k * b->stride * sizeof(float), &fresh,
                                  sizeof fresh, e);
}

/* ---- launches ------------------------------------------------------------------- */

struct arguments {
    uint64_t in, out, n;
};

static struct device_launch launch_of(const struct bench *b,
                                      const struct kernel *k, uint64_t slice,
                                      int word, struct arguments *a)
{
    const struct timing_spec *spec = b->spec;
    uint32_t block = spec->block ? spec->block
                     : k->stage  ? k->stage->default_block
                                 : 256;
    uint32_t shared = block * (uint32_t)sizeof(float);
    uint64_t grid =
        spec->grid ? spec->grid
                   : stage_grid(k->stage, b->device, spec->n, block, shared);
    *a = (struct arguments){
        b->in->address + slice * b->stride * sizeof(float),
        b->out->address + (uint64_t)word * OUT_STRIDE * sizeof(float), spec->n};
    return (struct device_launch){
        .module = k->module,
        .kernel = k->function,
        .grid = {(uint32_t)grid, 1, 1},
        .block = {block, 1, 1},
        .dynamic_shared = shared,
        .params = a,
        .params_bytes = sizeof *a,
        .cancel = spec->cancel,
    };
}

static bool check_word(struct bench *b, uint64_t slice, int word,
                       struct timing *t, struct error *e)
{
    const struct expected *right = &b->slices[slice].expected;
    float value;

    if (!b->device->ops->download(b->device, b->out,
                                  (uint64_t)word * OUT_STRIDE * sizeof value,
                                  &value, sizeof value, e))
        return false;
    if (!value_is_right(right, value) && t->wrong++ == 0) {
        t->wrong_value = value;
        t->right_value = right->value;
    }
    return true;
}

static bool run_alone(struct bench *b, const struct kernel *k, struct timing *t,
                      double *ms, struct error *e)
{
    struct arguments a;
    uint64_t slice;

    if (!slice_next(b, &slice, e) ||
        !b->device->ops->fill(b->device, b->out, 0, e))
        return false;
    const struct device_launch l = launch_of(b, k, slice, 0, &a);
    return b->device->ops->time(b->device, &l, 1, CLOCK_LAUNCHES, ms, e) &&
           check_word(b, slice, 0, t, e);
}

/* n floats in less time than the memory needs for them. */
static bool is_too_fast(const struct bench *b, double ms)
{
    double most = b->device->limits.memory_gb_s; /* 0: not known */
    return (double)b->spec->n * sizeof(float) > most * 1e6 * ms && most > 0;
}

static bool run_back_to_back(struct bench *b, const struct kernel *k,
                             struct timing *t, struct error *e)
{
    struct device_launch l[BACK];
    struct arguments a[BACK];
    uint64_t slice[BACK];
    /* Two runs on one input would differ by what slice_next changed. */
    int count = b->count < BACK ? (int)b->count : BACK;
    double ms = 0;
    bool ok = b->device->ops->fill(b->device, b->out, 0, e);

    for (int i = 0; ok && i < count; i++) {
        ok = slice_next(b, &slice[i], e);
        l[i] = launch_of(b, k, slice[i], i, &a[i]);
    }
    ok =
        ok && b->device->ops->time(b->device, l, count, CLOCK_LAUNCHES, &ms, e);
    for (int i = 0; ok && i < count; i++)
        ok = check_word(b, slice[i], i, t, e);
    t->back_ms = ms / count;
    t->is_impossible = t->is_impossible || is_too_fast(b, t->back_ms);
    return ok;
}

/* ---- a kernel that does nothing --------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool time_empty(struct device *device, double *ms, struct error *e)
{
    static const char text[] = ".version 6.0\n.target sm_70\n"
                               ".address_size 64\n"
                               ".visible .entry nothing()\n{\n\tret;\n}\n";
    double all[RUNS];
    struct ptx_program *program =
        ptx_load("nothing.ptx", text, sizeof text - 1, e);
    struct device_module *module =
        program ? device->ops->load(device, program, e) : NULL;
    bool ok = module != NULL;

    for (int i = 0; ok && i < RUNS; i++) {
        const struct device_launch l = {
            .module = module,
            .kernel = ptx_find_function(program, "nothing"),
            .grid = {1, 1, 1},
            .block = {32, 1, 1}};
        ok = device->ops->time(device, &l, 1, CLOCK_LAUNCHES, &all[i], e);
    }
    if (ok) {
        qsort(all, RUNS, sizeof *all, by_value);
        *ms = all[RUNS / 2];
    }
    if (module)
        device->ops->unload(device, module);
    if (program)
        ptx_free(program);
    return ok;
}

/* ---- all of it ------------------------------------------------------------------- */

static void summarise(const struct bench *b, double *ms, int runs,
                      struct timing *t)
{
    double bytes = (double)b->spec->n * sizeof(float);

    qsort(ms, (size_t)runs, sizeof *ms, by_value);
    t->runs = runs;
    t->ms = ms[runs / 2];
    t->low = ms[runs / 10];
    t->high = ms[runs * 9 / 10];
    t->gb_s = t->ms > 0 ? bytes / t->ms * 1e-6 : INFINITY;
    t->is_impossible = is_too_fast(b, t->ms);
}

/* Runs that stand alone, in turns. */
static bool measure_alone(struct bench *b, const struct kernel *const *kernels,
                          int count, int limit, struct timing *timings,
                          double (*ms)[RUNS], struct error *e)
{
    int *runs = checked_alloc((size_t)count * sizeof *runs);
    bool ok = true;

    for (int r = -WARM_UP; ok && r < limit; r++)
        for (int j = 0; ok && j < count; j++) {
            int i = (j + r + WARM_UP) % count; /* nobody is always first */
            double took = 0;
            if (b->spec->cancel && *b->spec->cancel)
                ok = error_set(e, "stopped");
            else if (r < 1 || ms[i][0] * (runs[i] + 1) <= LONG_MS ||
                     runs[i] < 3)
                ok = run_alone(b, kernels[i], &timings[i], &took, e);
            else
                continue;
            if (r >= 0)
                ms[i][runs[i]++] = took;
        }
    for (int i = 0; ok && i < count; i++)
        summarise(b, ms[i], runs[i], &timings[i]);
    free(runs);
    return ok;
}

static bool measure(struct bench *b, const struct kernel *const *kernels,
                    int count, struct timing *timings, double (*ms)[RUNS],
                    struct error *e)
{
    int limit =
        b->spec->runs > 0 && b->spec->runs < RUNS ? b->spec->runs : RUNS;
    bool ok = measure_alone(b, kernels, count, limit, timings, ms, e);

    for (int i = 0; ok && i < count; i++)
        ok = run_back_to_back(b, kernels[i], &timings[i], e);
    return ok;
}

static bool has_clock(const struct device *device, struct error *e)
{
    return device->ops->time ||
           error_set(e, "the %s has no clock: times are measured on a GPU",
                     device->ops->name);
}

bool timing_run(struct device *device, const struct kernel *const *kernels,
                int count, const struct timing_spec *spec,
                struct timing *timings, double *empty_ms, struct error *e)
{
    struct bench b = {.device = device, .spec = spec};
    double(*ms)[RUNS] = checked_alloc((size_t)count * sizeof *ms);

    memset(timings, 0, (size_t)count * sizeof *timings);
    bool ok = has_clock(device, e) && slices_make(&b, e) &&
              measure(&b, kernels, count, timings, ms, e) &&
              time_empty(device, empty_ms, e);
    slices_free(&b);
    free(ms);
    return ok;
}

/* Do all rounds so far say the same? */
static bool is_of_one_mind(const double *ratios, int rounds, double limit)
{
    int above = 0;
    for (int i = 0; i < rounds; i++)
        above += ratios[i] > limit;
    return above == 0 || above == rounds;
}

bool timing_duel(struct device *device, const struct kernel *ours,
                 const struct kernel *reference, double limit,
                 const struct timing_spec *spec, struct timing_duel *duel,
                 struct error *e)
{
    const struct kernel *const pair[] = {ours, reference};
    struct bench b = {.device = device, .spec = spec};
    struct timing t[2] = {{0}};
    double ms[2][RUNS], ratios[DUEL_ROUNDS];
    int n = 0;

    *duel = (struct timing_duel){0};
    bool ok = has_clock(device, e) && slices_make(&b, e);
    while (ok && n < DUEL_ROUNDS && !t[0].wrong &&
           (n < DUEL_AT_LEAST || !is_of_one_mind(ratios, n, limit))) {
        ok = measure_alone(&b, pair, 2, DUEL_RUNS, t, ms, e);
        ratios[n++] = t[0].ms / t[1].ms;
    }
    if (ok) {
        qsort(ratios, (size_t)n, sizeof *ratios, by_value);
        *duel = (struct timing_duel){.ours = t[0],
                                     .reference = t[1],
                                     .ratio = ratios[n / 2],
                                     .low = ratios[0],
                                     .high = ratios[n - 1],
                                     .rounds = n};
        duel->is_too_slow = !(duel->ratio <= limit);
    }
    slices_free(&b);
    return ok;
}
