/* Judging a sum, and reading a wrong one.  See compare.h. */
#include "lab/compare.h"

#include <math.h>
#include <stdio.h>

/* Floats hold every whole number up to this one. */
#define WHOLE_LIMIT 16777216.0

/* Beyond this many elements a diagnosis is not worth the wait. */
#define DIAGNOSE_LIMIT ((uint64_t)1 << 22)

/* The largest partial sum to reckon with, see compare.h. */
static double peak_of(const struct exact_sum *s, const struct expected *x,
                      enum element_kind kind)
{
    if (kind == ELEMENTS_ANY || kind == ELEMENTS_ONES)
        return x->magnitude;
    double peak = fabs(x->value) + 8 * sqrt(exact_squares(s));
    return peak < x->magnitude ? peak : x->magnitude;
}

struct expected expect_sum(const struct exact_sum *s, uint64_t chain,
                           enum element_kind kind)
{
    struct expected x = {
        .value = exact_double(s),
        .magnitude = exact_magnitude(s),
    };
    if (!isfinite(x.value))
        return x;
    if (kind >= ELEMENTS_WHOLE && exact_positive(s) <= WHOLE_LIMIT &&
        exact_negative(s) <= WHOLE_LIMIT)
        return x;
    x.tolerance =
        (2 * sqrt((double)chain) + 2) * 0x1p-24 * peak_of(s, &x, kind);
    return x;
}

bool value_is_right(const struct expected *x, float got)
{
    if (isnan(x->value))
        return isnan(got);
    if (isinf(x->value))
        return (double)got == x->value;
    return fabs((double)got - x->value) <= x->tolerance;
}

/* ---- what a wrong sum looks like ----------------------------------------- */

struct wrong {
    const struct expected *x;
    double got;
    const float *data;
    uint64_t n;
    uint32_t block;
    char *text;
    size_t size;
};

/* Within the tolerance of another sum over the same data. */
static bool is_near(const struct wrong *w, double sum)
{
    return fabs(w->got - sum) <= w->x->tolerance;
}

static bool looks_like_number(const struct wrong *w)
{
    double right = w->x->value;

    if (isnan(w->got))
        snprintf(w->text, w->size,
                 "NaN: a word that nobody wrote got into the sum (fresh "
                 "memory holds NaN here), or one from outside the input");
    else if (isinf(w->got))
        snprintf(w->text, w->size, "infinite: more than a float can hold");
    else if (w->got == 0)
        snprintf(w->text, w->size,
                 "the output is 0, as it was before the "
                 "launch: nothing was added to *out, or only 0");
    else if (w->got == WHOLE_LIMIT && right > WHOLE_LIMIT)
        snprintf(w->text, w->size,
                 "16777216 = 2^24: from there on adding 1 to a float changes "
                 "nothing");
    else if (w->got == (double)w->n)
        snprintf(w->text, w->size,
                 "this is n itself: the elements were counted, not added");
    else
        return false;
    return true;
}

static bool looks_like_multiple(const struct wrong *w)
{
    double right = w->x->value;
    double times = right != 0 ? round(w->got / right) : 0;

    if (w->n < 8 || !(times >= 2 && times <= 1024) ||
        !(fabs(w->got - times * right) <= times * w->x->tolerance) ||
        /* a small sum is a divisor of many */
        !(fabs(right) > fmax(4 * w->x->tolerance, 0x1p-10 * w->x->magnitude)))
        return false;
    snprintf(w->text, w->size,
             "%.0f times the right sum: it is as if every element was added "
             "%.0f times",
             times, times);
    return true;
}

/* The m that a launch makes likely: few of them, since among many sums one
 * always comes near. */
static bool is_likely_start(const struct wrong *w, uint64_t m)
{
    uint64_t block = w->block ? w->block : 1;
    uint64_t half = (w->n / 2 + block - 1) / block * block;

    return m == 1 || m == w->n / 2 || m == half || m == w->n - 1 ||
           m == w->n - w->n % block || (m % block == 0 && m / block <= 32);
}

static bool looks_like_start(const struct wrong *w, bool any)
{
    double sum = 0;

    for (uint64_t m = 0; m < w->n; m++) {
        if (m > 0 && (any || is_likely_start(w, m)) && is_near(w, sum)) {
            if (m == 1)
                snprintf(w->text, w->size, "this is in[0] alone");
            else
                snprintf(w->text, w->size,
                         "this is the sum of the first %llu elements, of %llu",
                         (unsigned long long)m, (unsigned long long)w->n);
            return true;
        }
        sum += (double)w->data[m];
    }
    return false;
}

static bool looks_like_every(const struct wrong *w)
{
    const uint64_t steps[] = {2, 32, w->block, 2 * (uint64_t)w->block};

    for (int s = 0; s < 4; s++) {
        if (steps[s] < 2 || w->n <= steps[s])
            continue;
        double sum = 0;
        for (uint64_t i = 0; i < w->n; i += steps[s])
            sum += (double)w->data[i];
        if (!is_near(w, sum))
            continue;
        snprintf(
            w->text, w->size,
            "this is the sum of in[0], in[%llu], in[%llu] ...: one in %llu",
            (unsigned long long)steps[s], 2 * (unsigned long long)steps[s],
            (unsigned long long)steps[s]);
        return true;
    }
    return false;
}

static bool looks_truncated(const struct wrong *w)
{
    double sum = 0;
    bool is_whole = true;

    for (uint64_t i = 0; i < w->n; i++) {
        double whole = trunc((double)w->data[i]);
        is_whole = is_whole && whole == (double)w->data[i];
        sum += whole;
    }
    if (is_whole || !is_near(w, sum))
        return false;
    snprintf(w->text, w->size,
             "the fractions are cut off: a float went through an int");
    return true;
}

static bool looks_like_element(const struct wrong *w)
{
    double error = w->got - w->x->value;
    uint64_t missing = 0, doubled = 0, missing_at = 0, doubled_at = 0;

    for (uint64_t i = 0; i < w->n; i++) {
        double x = (double)w->data[i];
        if (fabs(error + x) <= w->x->tolerance) {
            missing++;
            missing_at = i;
        }
        if (fabs(error - x) <= w->x->tolerance) {
            doubled++;
            doubled_at = i;
        }
    }
    if (missing + doubled != 1)
        return false;
    uint64_t at = missing ? missing_at : doubled_at;
    snprintf(w->text, w->size, "the error is just in[%llu] = %.9g, %s",
             (unsigned long long)at, (double)w->data[at],
             missing ? "missing" : "added twice");
    return true;
}

void value_diagnose(const struct expected *expected, float got, const float *x,
                    uint64_t n, uint32_t block, char *text, size_t size)
{
    struct wrong w = {expected, (double)got, x, n, block, text, size};

    text[0] = '\0';
    if (value_is_right(expected, got) || looks_like_number(&w))
        return;
    if (!isfinite(expected->value)) {
        snprintf(text, size, "the input holds a %s, and it was lost",
                 isnan(expected->value) ? "NaN" : "infinity");
        return;
    }
    if (!x || n > DIAGNOSE_LIMIT || looks_like_every(&w) ||
        looks_like_start(&w, false) || looks_truncated(&w) ||
        looks_like_multiple(&w) || looks_like_element(&w))
        return;
    if (expected->tolerance == 0)
        looks_like_start(&w, true);
}
