/* Our counters beside those measured on a GPU:
 *
 *   golden_table [KERNEL]     tests/golden, every counter that differs
 *   golden_table --summary    a line a counter, as in docs/counters.md */
#include "tests/support/golden.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How far a counter is from the measured one, over many launches. */
struct agreement {
    int launches;
    double worst, sum; /* |ours - measured| / measured */
    char where[96];
};

static double difference(double ours, double measured)
{
    if (ours == measured)
        return 0;
    return fabs(ours - measured) / fmax(fabs(measured), 1);
}

static void add(struct agreement *a, const struct golden_row *row, double d)
{
    a->launches++;
    a->sum += d;
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
                   measured,
                   100 * (ours - measured) / fmax(fabs(measured), 1));
    }
}

static void print_summary(const struct golden *g,
                          const struct agreement all[][2])
{
    printf("| counter | the seven: mean | worst | others: mean | worst | "
           "where |\n|---|---|---|---|---|---|\n");
    for (int k = 0; k < g->columns; k++) {
        const struct agreement *a = all[k];
        if (!a[0].launches)
            continue;
        printf("| `%s` ", g->name[k]);
        for (int s = 0; s < 2; s++)
            printf("| %.2f %% | %.2f %% ", 100 * a[s].sum / a[s].launches,
                   100 * a[s].worst);
        printf("| %s |\n", a[1].worst > 0 ? a[1].where : "");
    }
}

int main(int argc, char **argv)
{
    static struct agreement all[GOLDEN_COLUMNS][2];
    struct golden g;
    struct error e;
    bool summary = argc > 1 && !strcmp(argv[1], "--summary");
    const char *only = argc > 1 && !summary ? argv[1] : NULL;
    if (!golden_read(&g, "tests/golden/counters.csv", &e)) {
        fprintf(stderr, "golden_table: %s\n", e.text);
        return 2;
    }
    for (int k = 0; k < g.count; k++) {
        const struct golden_row *row = &g.rows[k];
        if (only && strncmp(row->kernel, only, strlen(only)) != 0)
            continue;
        struct counters *c = golden_count("tests/golden/ptx", row, &e);
        if (!c) {
            fprintf(stderr, "golden_table: %s: %s\n", row->kernel, e.text);
            return 2;
        }
        for (int i = 0; i < g.columns; i++) {
            double ours;
            if (golden_ours(c, g.name[i], &ours))
                add(&all[i][!golden_is_solution(row)], row,
                    difference(ours, row->value[i]));
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
