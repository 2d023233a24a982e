/* The time model against the H200.
 *
 *     time_table PAGE [--check] >NEW
 *
 * Writes PAGE again: what stands before its line `<!-- made by ... -->` stays,
 * the tables after it are computed from tests/golden/ (measured by Nsight
 * Compute, see measure.sh there).  --check writes nothing and fails if an
 * error is beyond the bounds that the page promises. */
#include "lab/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 1000, MAX_NAME = 64 };
static const double MEAN_BOUND = 10, WORST_BOUND = 25; /* percent */
static const double ORDER_MARGIN = 1.10;
static const double FAR_SHARE = 0.03; /* of the other kernels' launches may be
                                         beyond the worst bound */
static const char MARK[] = "<!-- made by `make docs` from here on -->\n";

struct point {
    char kernel[MAX_NAME];
    unsigned long long n, grid;
    unsigned int block;
    double measured_ns, modelled_ns;
};
struct points {
    struct point list[MAX_POINTS];
    int count;
    double mean, worst; /* of the errors, percent */
    int far;            /* errors beyond the worst bound */
};

static double error_of(const struct point *p)
{
    return 100 * (p->modelled_ns / p->measured_ns - 1);
}

/* ---- reading ------------------------------------------------------------------*/

static int column_of(char *header, const char *name)
{
    int at = 0;
    for (char *word = strtok(header, ",\n"); word; word = strtok(NULL, ",\n")) {
        if (strcmp(word, name) == 0)
            return at;
        at++;
    }
    return -1;
}

static int by_place(const void *x, const void *y)
{
    const struct point *a = x, *b = y;
    int order = strcmp(a->kernel, b->kernel);
    if (!order)
        order = (a->n > b->n) - (a->n < b->n);
    return order ? order : (a->block > b->block) - (a->block < b->block);
}

/* kernel,n,block,grid,...: the rows whose kernel's first letter and digit do
 * (or do not) name a stage. */
static bool read_points(const char *path, bool stages_only, struct points *p)
{
    char line[4096];
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file)) {
        fprintf(stderr, "time_table: cannot read %s\n", path);
        return false;
    }
    int time = column_of(line, "gpu__time_duration.sum");
    while (fgets(line, sizeof line, file) && p->count < MAX_POINTS) {
        struct point *one = &p->list[p->count];
        int at = 0;
        bool is_stage = line[0] == 'v' && line[1] >= '0' && line[1] <= '9';
        if (is_stage != stages_only ||
            sscanf(line, "%63[^,],%llu,%u,%llu", one->kernel, &one->n,
                   &one->block, &one->grid) != 4)
            continue;
        for (char *word = strtok(line, ",\n"); word; word = strtok(NULL, ",\n"))
            if (at++ == time)
                one->measured_ns = atof(word);
        p->count += one->measured_ns > 0;
    }
    fclose(file);
    qsort(p->list, (size_t)p->count, sizeof p->list[0], by_place);
    return p->count > 0;
}

/* ---- modelling ----------------------------------------------------------------*/

/* A stage from its solution, as it is now; the others as they were measured. */
static bool load(const struct home *home, struct device *device,
                 const char *name, bool is_stage, struct kernel *k,
                 struct error *e)
{
    char path[200];
    struct error unknown;
    snprintf(path, sizeof path, "tests/golden/ptx/%s.ptx", name);
    is_stage = is_stage || stage_find(name, &unknown); /* x1, x2 */
    const struct kernel_request request = {
        .home = home,
        .device = device,
        .target = is_stage ? name : path,
        .from = is_stage ? "solutions" : NULL,
        .compiler = "nvcc",
    };
    return kernel_load(&request, k, e) == OUTCOME_OK;
}

static bool model_points(const struct home *home, struct device *device,
                         bool is_stage, struct points *p, struct error *e)
{
    const struct gpu *gpu = gpu_find("h200", e);
    struct model_input *input = model_input_new(device, 1 << 26, e);
    struct kernel k = {0};
    bool ok = input != NULL;

    for (int i = 0; i < p->count && ok; i++) {
        struct point *one = &p->list[i];
        struct cost_result r = {0};
        const struct model_spec spec = {.gpu = gpu,
                                        .n = one->n,
                                        .block = one->block,
                                        .grid = one->grid,
                                        .shared = -1};
        if (i == 0 || strcmp(one->kernel, one[-1].kernel) != 0) {
            kernel_free(&k);
            k = (struct kernel){0};
            ok = load(home, device, one->kernel, is_stage, &k, e);
        }
        ok = ok && model_time(&k, input, &spec, &r, e);
        one->modelled_ns = r.time_ns;
        double off = ok ? fabs(error_of(one)) : 0;
        p->mean += off / p->count;
        p->worst = off > p->worst ? off : p->worst;
        p->far += off > WORST_BOUND;
    }
    kernel_free(&k);
    model_input_free(input);
    return ok;
}

/* ---- the page -----------------------------------------------------------------*/

static const char *n_text(unsigned long long n, char *text, size_t size)
{
    if (n & (n - 1))
        snprintf(text, size, "%llu", n);
    else
        snprintf(text, size, "2^%d", 63 - __builtin_clzll(n));
    return text;
}

/* One table a kernel: a line an n, a column a block. */
static void print_tables(const struct points *p)
{
    char text[32];
    for (int i = 0; i < p->count; i++) {
        const struct point *one = &p->list[i], *before = one - 1;
        bool is_new = i == 0 || strcmp(one->kernel, before->kernel) != 0;
        if (is_new) {
            printf("\n\n`%s`\n\n| n |", one->kernel);
            int columns = 0;
            for (int k = i; k < p->count && p->list[k].n == one->n &&
                            !strcmp(p->list[k].kernel, one->kernel);
                 k++, columns++)
                printf(" block %u |", p->list[k].block);
            printf("\n|---|");
            while (columns-- > 0)
                printf("---:|");
        }
        if (is_new || one->n != before->n)
            printf("\n| %s |", n_text(one->n, text, sizeof text));
        printf(" %.2f / %.2f, %+.1f %% |", one->modelled_ns / 1000,
               one->measured_ns / 1000, error_of(one));
    }
    printf("\n");
}

/* One table for all: a line a kernel and n, a column a launch. */
static void print_lines(const struct points *p)
{
    enum { LAUNCHES = 3 }; /* of a kernel at one n, at most */
    char text[32];
    int columns = LAUNCHES;
    printf("\n\n| kernel | n | block: modelled / measured, error | | |\n"
           "|---|---:|---:|---:|---:|");
    for (int i = 0; i < p->count; i++) {
        const struct point *one = &p->list[i], *before = one - 1;
        bool is_new = i == 0 || strcmp(one->kernel, before->kernel) != 0;
        if (is_new || one->n != before->n) {
            for (; columns < LAUNCHES; columns++)
                printf(" |");
            columns = 0;
            printf("\n| %s | %s |", is_new ? one->kernel : "",
                   n_text(one->n, text, sizeof text));
        }
        columns++;
        printf(" %u: %.2f / %.2f, %+.1f %% |", one->block,
               one->modelled_ns / 1000, one->measured_ns / 1000, error_of(one));
    }
    for (; columns < LAUNCHES; columns++)
        printf(" |");
    printf("\n");
}

/* Pairs of stages whose times differ by more than the margin at the same n
 * and block: how many there are, and in how many the model has the other
 * order. */
static int wrong_orders(const struct points *p, int *pairs)
{
    int wrong = 0;
    *pairs = 0;
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < p->count; k++) {
            const struct point *a = &p->list[i], *b = &p->list[k];
            if (a->n != b->n || a->block != b->block ||
                a->measured_ns <= ORDER_MARGIN * b->measured_ns)
                continue;
            ++*pairs;
            wrong += a->modelled_ns <= b->modelled_ns;
        }
    return wrong;
}

static void print_page(const char *path, const struct points *stage_points,
                       const struct points *others)
{
    char line[4096];
    int pairs, wrong = wrong_orders(stage_points, &pairs);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file) && strcmp(line, MARK) != 0)
        fputs(line, stdout);
    if (file)
        fclose(file);
    fputs(MARK, stdout);
    printf("\n## The seven solutions\n\nModelled / measured, microseconds, and "
           "the error. %d points: **mean absolute error %.1f %%, worst "
           "%.1f %%**. Of %d pairs of stages that differ by more than 10 %% "
           "at one n and block, the model has %d in the wrong order.",
           stage_points->count, stage_points->mean, stage_points->worst, pairs,
           wrong);
    print_tables(stage_points);
    printf("\n## The other kernels\n\nThose of `tests/golden/kernels/`, and "
           "both extension labs: %d points, mean absolute error %.1f %%, "
           "worst %.1f %%; %d of them beyond %.0f %%.",
           others->count, others->mean, others->worst, others->far,
           WORST_BOUND);
    print_lines(others);
}

static int check(const struct points *stage_points, const struct points *others)
{
    int pairs, wrong = wrong_orders(stage_points, &pairs);
    bool ok = stage_points->mean <= MEAN_BOUND &&
              stage_points->worst <= WORST_BOUND &&
              others->mean <= MEAN_BOUND &&
              others->far <= FAR_SHARE * others->count && wrong == 0;
    printf("solutions: mean %.1f %%, worst %.1f %%; others: mean %.1f %%, "
           "worst %.1f %%, %d beyond %.0f %%; %d of %d pairs in the wrong "
           "order\n",
           stage_points->mean, stage_points->worst, others->mean, others->worst,
           others->far, WORST_BOUND, wrong, pairs);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    static struct points stage_points, others;
    struct home home;
    struct error e;

    if (argc < 2) {
        fprintf(stderr, "usage: time_table PAGE [--check]\n");
        return 2;
    }
    struct device *device = device_open("sim", &e);
    if (!device || !home_find(&home, &e)) {
        fprintf(stderr, "time_table: %s\n", e.text);
        return 2;
    }
    if (!read_points("tests/golden/times.csv", true, &stage_points) ||
        !read_points("tests/golden/times.csv", false, &others))
        return 2;
    if (!model_points(&home, device, true, &stage_points, &e) ||
        !model_points(&home, device, false, &others, &e)) {
        fprintf(stderr, "time_table: %s\n", e.text);
        return 2;
    }
    device_close(device);
    if (argc > 2)
        return check(&stage_points, &others);
    print_page(argv[1], &stage_points, &others);
    return 0;
}
