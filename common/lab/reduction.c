/* See reduction.h. */
#include "lab/reduction.h"
#include "base/arena.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16, NO_PLACE = (1 << 24) - 1 };

static double fold_sum(double a, float x)
{
    return a + (double)x;
}
static double fold_above(double a, float x)
{
    return x > 0.5f ? a + (double)x : a;
}

static double fold_product(double a, float x)
{
    return a * (double)x;
}
static double fold_max(double a, float x)
{
    return fmax(a, (double)x);
}
static double fold_min(double a, float x)
{
    return fmin(a, (double)x);
}
static double fold_and(double a, float x)
{
    return a != 0 && x != 0;
}
static double fold_or(double a, float x)
{
    return a != 0 || x != 0;
}

/* |x| as a whole number of 24 bits. */
static uint32_t bits_of(float x)
{
    double whole = fabs((double)x);
    return whole < 0x1p32 ? (uint32_t)whole & 0xffffff : 0xffffff;
}

static double fold_bitand(double a, float x)
{
    return (uint32_t)a & bits_of(x);
}

static double fold_bitor(double a, float x)
{
    return (uint32_t)a | bits_of(x);
}

const struct reduction reductions[] = {
    {"sum", "a + b", 0, false, fold_sum, false},
    {"product", "a * b", 1, false, fold_product, false},
    {"max", "fmaxf(a, b)", -INFINITY, true, fold_max, false},
    {"min", "fminf(a, b)", INFINITY, true, fold_min, false},
    {"and", "a && b", 1, true, fold_and, false},
    {"or", "a || b", 0, true, fold_or, false},
    {"bitand", "a & b", 0xffffff, true, fold_bitand, false},
    {"bitor", "a | b", 0, true, fold_bitor, false},
    {"argmax", "the place of the largest", NO_PLACE, true, fold_max, true},
    {"argmin", "the place of the smallest", NO_PLACE, true, fold_min, true},
    {"above", "a + (b > 0.5 ? b : 0)", 0, false, fold_above, false},
};
const int reduction_count = sizeof reductions / sizeof *reductions;

const struct reduction *reduction_find(const char *name, struct error *e)
{
    for (int k = 0; k < reduction_count; k++)
        if (strcmp(reductions[k].name, name) == 0)
            return &reductions[k];
    error_set(e,
              "--operator: '%.40s' must be sum, product, max, min, and, or, "
              "bitand, bitor, argmax, argmin or above",
              name);
    return NULL;
}

/* Where a search for the largest or smallest begins. */
static double beginning(const struct reduction *op)
{
    if (!op->is_place)
        return (double)op->identity;
    return op->fold == fold_max ? -INFINITY : INFINITY;
}

struct expected reduction_expect(const struct reduction *op,
                                 enum data_kind data, uint64_t seed, uint64_t n)
{
    float *x = checked_alloc(PIECE * sizeof *x);
    double value = beginning(op), place = NO_PLACE;

    for (uint64_t from = 0; from < n; from += PIECE) {
        uint64_t count = n - from < PIECE ? n - from : PIECE;
        data_fill(data, seed, n, from, count, x);
        for (uint64_t i = 0; i < count; i++) {
            double next = op->fold(value, x[i]);
            bool is_first = place == NO_PLACE && (double)x[i] == next;
            if (next != value || is_first)
                place = (double)(from + i);
            value = next;
        }
    }
    free(x);
    if (op->is_place)
        value = place;
    else if (fabs(value) > (double)FLT_MAX)
        value = value < 0 ? -INFINITY : INFINITY;
    struct expected e = {.value = value, .magnitude = fabs(value)};
    if (!op->is_exact && isfinite(value))
        e.tolerance = (double)(n + 2) * 0x1p-24 * fabs(value) + 0x1p-149;
    return e;
}
