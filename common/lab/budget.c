/* Measuring budgets, and words for those that were not kept. */
#include "lab/budget.h"
#include "lab/report_counters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t spent(const struct budget *b, const uint64_t *value)
{
    uint64_t sum = 0;
    for (int k = 0; k < BUDGET_COUNTERS && b->counters[k] != COUNTERS; k++)
        sum += value[b->counters[k]];
    return sum;
}

double budget_measure(const struct budget *b, const struct counters *c,
                      uint64_t n)
{
    double by = 0;
    switch (b->per) {
    case PER_BLOCK: by = (double)c->blocks; break;
    case PER_WARP: by = (double)c->warps; break;
    case PER_1000_ELEMENTS: by = (double)n / 1000; break;
    case PER_SHARED_LOAD: by = (double)c->total[COUNT_SHARED_LD_REQ]; break;
    }
    return by > 0 ? (double)spent(b, c->total) / by : (double)NAN;
}

bool budget_kept(const struct budget *b, double measured)
{
    if (isnan(measured))
        return true;
    double slack = 1e-9 * b->limit;
    return b->is_least ? measured >= b->limit - slack
                       : measured <= b->limit + slack;
}

/* The line that is farthest off: most of a counter, or most loads that leave
 * lanes idle. */
static int line_to_blame(const struct budget *b, const struct counters *c)
{
    struct counters_row *rows;
    int count = counters_by_line(c, &rows), line = 0;
    double worst = 0;
    for (int k = 0; k < count; k++) {
        const uint64_t *v = rows[k].value;
        double blame = (double)spent(b, v);
        if (b->is_least)
            blame = 32.0 * (double)v[COUNT_SHARED_LD_REQ] -
                    (double)v[COUNT_SHARED_LD_LANES];
        if (rows[k].line && blame > worst) {
            worst = blame;
            line = rows[k].line;
        }
    }
    free(rows);
    return line;
}

void budget_tell(const struct budget *b, const struct counters *c,
                 double measured, char *to, size_t size)
{
    char blame[240] = "", conflict[160] = "";
    bool is_conflict = b->counters[0] == COUNT_CONFLICT_LD;
    int line = b->per == PER_WARP && b->is_least ? 0 : line_to_blame(b, c);
    if (is_conflict)
        report_worst_conflict(c, -1, conflict, sizeof conflict);
    if (line)
        snprintf(blame, sizeof blame, " Line %d is most to blame%s%s.", line,
                 *conflict ? ": " : "", conflict);
    snprintf(to, size,
             "%s: %.4g measured, at %s %.4g wanted (the reference has "
             "%.4g).%s %s",
             b->what, measured, b->is_least ? "least" : "most", b->limit,
             b->reference, blame, b->idea);
}
