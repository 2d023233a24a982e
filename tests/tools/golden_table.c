/* Our counters beside those measured on a GPU:
 *
 *   golden_table [KERNEL]     tests/golden, every counter that differs
 *   golden_table --summary    a line a counter, as in docs/counters.md
 *   golden_table --counters   what each counter is, as there */
#include "tests/support/golden.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How far a counter is from the measured one, over many launches. */
struct agreement {
    int launches;
    double ours, measured; /* added up */
    double worst;          /* |ours - measured| / measured */
    char where[96];
};

static double difference(double ours, double measured)
{
    if (ours == measured)
        return 0;
    return fabs(ours - measured) / fmax(fabs(measured), 1);
}

static void add(struct agreement *a, const struct golden_row *row, double ours,
                double measured)
{
    double d = difference(ours, measured);
    a->launches++;
    a->ours += ours;
    a->measured += measured;
    if (d <= a->worst)
        return;
    a->worst = d;
    snprintf(a->where, sizeof a->where, "%s n %llu block %u", row->kernel,
             (unsigned long long)row->n, row->block);
}

static void print_row(const struct golden *g, const struct golden_row *row,
                      const struct counters *c)
{
    printf("%s n %llu block %u grid %llu\n", row->kernel,
           (unsigned long long)row->n, row->block,
           (unsigned long long)row->grid);
    for (int k = 0; k < g->columns; k++) {
        double ours, measured = row->value[k];
        if (golden_ours(c, g->name[k], &ours) && ours != measured)
            printf("  %-62s %14.6g %14.6g  %+.2f %%\n", g->name[k], ours,
                   measured, 100 * (ours - measured) / fmax(fabs(measured), 1));
    }
}

static void print_agreement(const struct agreement *a)
{
    if (a->measured == 0)
        printf("| %.0f, measured 0 | ", a->ours);
    else
        printf("| %+.2f %% | %.2f %% ",
               100 * (a->ours - a->measured) / a->measured, 100 * a->worst);
}

static void print_summary(const struct golden *g,
                          const struct agreement all[][2])
{
    printf("| counter | the seven, in total | worst launch | others, in total "
           "| worst launch | which |\n|---|--:|--:|--:|--:|---|\n");
    for (int k = 0; k < g->columns; k++) {
        const struct agreement *a = all[k];
        if (!a[0].launches)
            continue;
        printf("| `%s` ", g->name[k]);
        for (int s = 0; s < 2; s++)
            print_agreement(&a[s]);
        printf("| %s |\n", a[1].worst > 0 ? a[1].where : "");
    }
}

static int print_counters(void)
{
    printf("| plain name | Nsight Compute's name | basis | what it tells |\n"
           "|---|---|---|---|\n");
    for (int k = 0; k < COUNTERS; k++)
        printf("| %s | `%s` | %s | %s |\n", counter_infos[k].plain,
               counter_infos[k].name,
               counter_infos[k].is_exact ? "exact" : "PTX",
               counter_infos[k].meaning);
    for (int k = 0; k < counter_ratio_count; k++)
        printf("| %s | `%s` | %s | The quotient of two of the above. |\n",
               counter_ratios[k].plain, counter_ratios[k].name,
               counter_ratios[k].is_exact ? "exact" : "PTX");
    return 0;
}

int main(int argc, char **argv)
{
    static struct agreement all[GOLDEN_COLUMNS][2];
    struct golden g;
    struct error e;
    bool summary = argc > 1 && !strcmp(argv[1], "--summary");
    if (argc > 1 && !strcmp(argv[1], "--counters"))
        return print_counters();
    const char *only = argc > 1 && !summary ? argv[1] : NULL;
    if (!golden_read(&g, "tests/golden/counters.csv", &e)) {
        fprintf(stderr, "golden_table: %s\n", e.text);
        return 2;
    }
    for (int k = 0; k < g.count; k++) {
        const struct golden_row *row = &g.rows[k];
        if (only && strncmp(row->kernel, only, strlen(only)) != 0)
            continue;
        struct counters *c = golden_count("tests/golden/ptx", row, NULL, &e);
        if (!c) {
            fprintf(stderr, "golden_table: %s: %s\n", row->kernel, e.text);
            return 2;
        }
        for (int i = 0; i < g.columns; i++) {
            double ours;
            if (golden_ours(c, g.name[i], &ours))
                add(&all[i][!golden_is_solution(row)], row, ours,
                    row->value[i]);
        }
        if (!summary)
            print_row(&g, row, c);
        counters_free(c);
    }
    if (summary)
        print_summary(&g, all);
    golden_free(&g);
    return 0;
}
