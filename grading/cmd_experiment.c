/* lab experiment: the experiments of the book, each one command. */
#include "grading/experiment.h"
#include "lab/data.h"
#include "lab/number.h"
#include "lab/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The kernels of the reference, or those of --from. */
static const char *folder(const struct bench_desk *d)
{
    return d->options->from ? d->options->from : "solutions";
}

static uint32_t block_of(const struct bench_desk *d, const struct kernel *k)
{
    return d->options->has_block ? d->options->block : k->stage->default_block;
}

/* The seven stages of the ladder, v0 to v6. */
static int ladder_length(void)
{
    int count = 0;
    while (count < stage_count && stages[count].name[0] == 'v')
        count++;
    return count;
}

/* ---- 1: the ladder ------------------------------------------------------------*/

static bool ladder(struct bench_desk *d)
{
    uint64_t n = d->options->has_n ? d->options->n : 20000000;
    double first = 0, before = 0;

    d->bars_title = "GB/s";
    printf("%-24s %12s %6s %9s %9s %10s\n", "stage", "us", "GB/s", "of limit",
           "than v0", "than last");
    for (int i = 0; i < ladder_length(); i++) {
        struct kernel k;
        struct cost_result r;
        bool ok = desk_load(d, stages[i].name, folder(d), &k) &&
                  desk_time(d, &k, n, block_of(d, &k), 0, &r);
        kernel_free(&k);
        if (!ok)
            return false;
        first = first > 0 ? first : r.time_ns;
        before = before > 0 ? before : r.time_ns;
        double gbps = 4.0 * (double)n / r.time_ns;
        double share = r.limit_ns / r.time_ns;
        char text[20], name[16];
        snprintf(text, sizeof text, "%.0f", gbps);
        desk_bar(d, gbps, text, "%s",
                 stage_short(&stages[i], name, sizeof name));
        desk_progress(d, (i + 1.0) / ladder_length());
        desk_row(d);
        printf("%-24s %12.2f %6.0f %7.1f %% %8.1fx %9.2fx\n", stages[i].name,
               r.time_ns / 1000, gbps, 100 * share, first / r.time_ns,
               before / r.time_ns);
        fprintf(d->csv, "%s,%s,%llu,%.3f,%.1f,%.4f,%.2f,%.3f\n", d->gpu->name,
                stages[i].name, (unsigned long long)n, r.time_ns / 1000, gbps,
                share, first / r.time_ns, before / r.time_ns);
        before = r.time_ns;
    }
    return true;
}

/* ---- 2: where the tree wins ------------------------------------------------------*/

static bool crossover(struct bench_desk *d)
{
    struct kernel atomic = {0}, tree = {0};
    char text[32];
    bool ok = desk_load(d, "v0", folder(d), &atomic) &&
              desk_load(d, "v3", folder(d), &tree);

    d->bars_title = "how many times faster the tree is";
    d->bars_log = true;
    printf("%14s %14s %14s   %s\n", "n", "v0 us", "v3 us", "faster");
    for (uint64_t n = 100; ok && n <= 100000000; n *= 10)
        for (uint64_t of = 1; ok && of <= 3 && of * n <= 100000000; of += 2) {
            struct cost_result a, t;
            ok = desk_time(d, &atomic, of * n, block_of(d, &atomic), 0, &a) &&
                 desk_time(d, &tree, of * n, block_of(d, &tree), 0, &t);
            if (!ok)
                break;
            double times = a.time_ns / t.time_ns;
            char bar[20];
            snprintf(bar, sizeof bar, "%.3gx", times);
            desk_bar(d, times, bar, "%s",
                     number_text(of * n, text, sizeof text));
            desk_progress(d, (log10((double)(of * n)) - 2) / 6);
            desk_row(d);
            printf("%14s %14.2f %14.2f   %s\n",
                   number_text(of * n, text, sizeof text), a.time_ns / 1000,
                   t.time_ns / 1000,
                   a.time_ns < t.time_ns ? "one atomic an element" : "a tree");
            fprintf(d->csv, "%s,%llu,%.3f,%.3f\n", d->gpu->name,
                    (unsigned long long)(of * n), a.time_ns / 1000,
                    t.time_ns / 1000);
        }
    kernel_free(&atomic);
    kernel_free(&tree);
    return ok;
}

/* ---- 3: block and grid -------------------------------------------------------------*/

static bool block_size(struct bench_desk *d)
{
    struct kernel k;
    bool ok = desk_load(d, "v6", folder(d), &k) &&
              sweep_rows(d, &k, d->options->has_n ? d->options->n : 1 << 24);
    kernel_free(&k);
    return ok;
}

/* ---- 4: what each step saves ---------------------------------------------------------*/

static bool steps(struct bench_desk *d)
{
    uint64_t n = d->options->has_n ? d->options->n : 1 << 20;

    d->bars_title = "warp instructions, a thousand elements";
    printf("%-24s %10s %10s %11s %10s %9s\n",
           "a thousand elements:", "barriers", "wavefronts", "warp insts",
           "atomics", "shuffles");
    for (int i = 0; i < ladder_length(); i++) {
        struct kernel k;
        struct run_result r;
        if (!desk_load(d, stages[i].name, folder(d), &k)) {
            kernel_free(&k);
            return false;
        }
        struct run_spec spec = run_defaults(&k);
        spec.n = n;
        spec.block = block_of(d, &k);
        spec.is_single = spec.counters = true;
        spec.checks = 0;
        spec.cancel = d->context->cancel;
        bool ok = run_kernel(&k, &spec, &r, &d->error);
        kernel_free(&k);
        if (!ok)
            return false;
        const uint64_t *c = r.launch.counters->total;
        const double of = 1000 / (double)n;
        double barriers = of * (double)c[COUNT_BARRIER];
        double waves = of * (double)(c[COUNT_WAVE_LD] + c[COUNT_WAVE_ST]);
        double insts = of * (double)c[COUNT_INST];
        double reds = of * (double)c[COUNT_RED];
        double shuffles = of * (double)c[COUNT_SHUFFLE];
        char text[20], name[16];
        snprintf(text, sizeof text, "%.0f", insts);
        desk_bar(d, insts, text, "%s",
                 stage_short(&stages[i], name, sizeof name));
        desk_progress(d, (i + 1.0) / ladder_length());
        desk_row(d);
        printf("%-24s %10.1f %10.1f %11.1f %10.1f %9.1f\n", stages[i].name,
               barriers, waves, insts, reds, shuffles);
        fprintf(d->csv, "%s,%llu,%.3f,%.3f,%.3f,%.3f,%.3f\n", stages[i].name,
                (unsigned long long)n, barriers, waves, insts, reds, shuffles);
        run_result_free(&r);
    }
    return true;
}

/* ---- 5: accuracy ---------------------------------------------------------------------*/

/* Kahan's sum: what each addition lost is given to the next one. */
static float sum_kahan(const float *x, uint64_t n)
{
    volatile float sum = 0, lost = 0, y, t;
    for (uint64_t i = 0; i < n; i++) {
        y = x[i] - lost;
        t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    return sum;
}

static bool kernel_error(struct bench_desk *d, const char *stage, uint64_t n,
                         double *error)
{
    struct kernel k;
    struct run_result r;
    bool ok = desk_load(d, stage, folder(d), &k);

    if (ok) {
        struct run_spec spec = run_defaults(&k);
        spec.n = n;
        spec.is_single = true;
        spec.checks = 0;
        spec.cancel = d->context->cancel;
        ok = run_kernel(&k, &spec, &r, &d->error);
    }
    kernel_free(&k);
    if (!ok)
        return false;
    *error = fabs(r.error) / r.expected.magnitude;
    run_result_free(&r);
    return true;
}

static void accuracy_bars(struct bench_desk *d, const double *errors)
{
    static const char *const names[] = {"serial", "v0",    "v6",
                                        "pairs",  "Kahan", "double"};
    for (int i = 0; i < 6; i++) {
        char text[20];
        snprintf(text, sizeof text, "%.1e", errors[i]);
        desk_bar(d, errors[i], text, "%s", names[i]);
    }
    d->bars_title = "error at n = 2^22";
    d->bars_log = true;
}

static bool accuracy(struct bench_desk *d)
{
    bool ok = true;

    printf("error over the sum of |x|\n%8s %9s %9s %9s %9s %9s %9s\n", "n",
           "serial", "pairwise", "Kahan", "v0", "v6", "double");
    for (int power = 8; ok && power <= 22; power += 2) {
        uint64_t n = 1ull << power;
        struct exact_sum exact = {0};
        float *x = malloc(n * sizeof *x);
        double v0 = 0, v6 = 0;
        if (!x)
            return error_set(&d->error, "out of memory");
        data_fill(DATA_RANDOM, 1, n, 0, n, x);
        exact_add(&exact, x, n);
        double right = exact_double(&exact), all = exact_magnitude(&exact);
        double serial = fabs((double)sum_serial_float(x, n) - right) / all;
        double pairs = fabs((double)sum_pairwise_float(x, n) - right) / all;
        double kahan = fabs((double)sum_kahan(x, n) - right) / all;
        double wide = fabs(sum_serial_double(x, n) - right) / all;
        free(x);
        ok = kernel_error(d, "v0", n, &v0) && kernel_error(d, "v6", n, &v6);
        desk_progress(d, exp2(power - 22));
        desk_row(d);
        if (power == 22)
            accuracy_bars(d,
                          (const double[]){serial, v0, v6, pairs, kahan, wide});
        printf("    2^%-2d %9.1e %9.1e %9.1e %9.1e %9.1e %9.1e\n", power,
               serial, pairs, kahan, v0, v6, wide);
        fprintf(d->csv, "%llu,%.3e,%.3e,%.3e,%.3e,%.3e,%.3e\n",
                (unsigned long long)n, serial, pairs, kahan, v0, v6, wide);
        fflush(stdout);
    }
    return ok;
}

/* ---- 6: how long a queue is ------------------------------------------------------------*/

/* A kernel that spreads its adds over 2^k words, as a file under build/. */
static bool write_spread(struct bench_desk *d, int k, char *path, size_t size)
{
    snprintf(path, size, "%s/atomics_%d.cu", d->context->home.state, k);
    FILE *file = fopen(path, "w");
    if (!file)
        return error_set(&d->error, "cannot write %s", path);
    fprintf(file,
            "__device__ float words[%d];\n"
            "extern \"C\" __global__ void reduce(const float *in, float *out,\n"
            "                                  size_t n)\n"
            "{\n"
            "    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"
            "    if (i < n)\n"
            "        atomicAdd(&words[i %% %d], in[i]);\n"
            "}\n",
            1 << k, 1 << k);
    return fclose(file) == 0 || error_set(&d->error, "cannot write %s", path);
}

static bool atomics(struct bench_desk *d)
{
    uint64_t n = d->options->has_n ? d->options->n : 1 << 20;

    d->bars_title = "ns an add, by words";
    d->bars_log = true;
    printf("%8s %14s %14s   %s\n", "words", "us", "ns an add", "mostly");
    for (int k = 0; k <= 20; k += 2) {
        struct kernel kernel = {0};
        struct cost_result r;
        char path[1200];
        bool ok = write_spread(d, k, path, sizeof path) &&
                  desk_load(d, path, NULL, &kernel) &&
                  desk_time(d, &kernel, n, 256, 0, &r);
        kernel_free(&kernel);
        if (!ok)
            return false;
        char text[20];
        snprintf(text, sizeof text, "%.4g", r.time_ns / (double)n);
        desk_bar(d, r.time_ns / (double)n, text, "2^%d", k);
        desk_progress(d, (k + 2) / 22.0);
        desk_row(d);
        printf("    2^%-2d %14.2f %14.4f   %s %.0f %%\n", k, r.time_ns / 1000,
               r.time_ns / (double)n, r.shares[0].name,
               100 * r.shares[0].share);
        fprintf(d->csv, "%s,%llu,%d,%.3f\n", d->gpu->name,
                (unsigned long long)n, 1 << k, r.time_ns / 1000);
    }
    return true;
}

/* ---- the list ----------------------------------------------------------------------------*/

static const struct {
    const char *name, *meaning, *columns;
    bool (*run)(struct bench_desk *);
    uint64_t most; /* floats of the input, without --n */
} experiments[] = {
    {"ladder", "v0 to v6 at one n",
     "gpu,stage,n,us,gbps,share_of_limit,than_v0,than_before", ladder,
     20000000},
    {"crossover", "atomics against a tree, n = 10^2 to 10^8",
     "gpu,n,v0_us,v3_us", crossover, 100000000},
    {"block-size", "v6 over blocks and grids", "gpu,n,block,grid,us,gbps",
     block_size, 1 << 24},
    {"steps", "what each stage saves, in counters",
     "stage,n,barriers,wavefronts,warp_instructions,atomics,shuffles", steps,
     1 << 20},
    {"accuracy", "error over n, by the way of adding",
     "n,serial,pairwise,kahan,v0,v6,double", accuracy, 1 << 20},
    {"atomics", "adds on one word, and spread over 2^k", "gpu,n,words,us",
     atomics, 1 << 20},
};
enum { EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

const char *experiment_name(int i)
{
    return i < EXPERIMENTS ? experiments[i].name : NULL;
}

int cmd_experiment(struct context *context, const struct options *o)
{
    struct bench_desk d;
    struct error e;

    for (int i = 0; i < EXPERIMENTS; i++) {
        if (strcmp(o->words[0], experiments[i].name) != 0)
            continue;
        uint64_t most = o->has_n ? o->n : experiments[i].most;
        bool ok = desk_open(
            &d, context, o, experiments[i].name, experiments[i].columns,
            most < experiments[i].most ? experiments[i].most : most);
        if (ok)
            printf("%s: %s; %s\n\n", experiments[i].name,
                   experiments[i].meaning, d.gpu->title);
        return desk_close(&d, ok && experiments[i].run(&d));
    }
    error_set(&e, "no experiment '%.40s'; there are:", o->words[0]);
    int status = cannot(&e);
    for (int i = 0; i < EXPERIMENTS; i++)
        fprintf(stderr, "  %-11s %s\n", experiments[i].name,
                experiments[i].meaning);
    return status;
}
