/* Is a value the right sum?  How far off may it be, and what does a wrong one
 * look like? */
#ifndef LAB_COMPARE_H
#define LAB_COMPARE_H

#include "lab/reference.h"
#include <stdbool.h>
#include <stddef.h>

struct expected {
    double value;     /* the exact sum, rounded to double; may be NaN or inf */
    double magnitude; /* sum of |x| */
    double tolerance; /* |value - got| may be at most this */
};

/* What is known of the elements, beyond their values. */
enum element_kind {
    ELEMENTS_ANY,
    ELEMENTS_MIXED, /* signs are random, independent of any order of adding */
    ELEMENTS_WHOLE, /* whole numbers with random signs */
    ELEMENTS_ONES,
};

/* `chain` is the longest chain of float additions that an element's value
 * goes through in a kernel we accept (see stage.h); at most n.
 *
 * One addition errs by at most u = 2^-24 of its result, and no partial sum is
 * larger than sum |x|.  The worst case chain * u * sum|x| would let anything
 * pass for large n; but rounding errors of unlike signs mostly cancel, and a
 * chain of c additions errs by about sqrt(c) * u * peak / 3, where peak is
 * the largest partial sum on the way (tests/unit/test_lab_compare.c tries).
 * We allow six times that:
 *
 *     tolerance = (2 * sqrt(chain) + 2) * u * peak
 *
 * peak is sum|x|; with random signs it is min(sum|x|, |sum| + 8 *
 * sqrt(sum x^2)), which no order that does not look at the values exceeds.
 * The tolerance is 0 for whole numbers as long as neither the positive nor
 * the negative ones sum beyond 2^24: then every order is exact. */
struct expected expect_sum(const struct exact_sum *, uint64_t chain,
                           enum element_kind);

/* NaN passes only where NaN is expected, inf only where the same inf is. */
bool value_is_right(const struct expected *, float got);

/* One sentence on what a wrong value looks like, or "" if it looks like
 * nothing known: "nothing was added, or only 0", "exactly 2 times the right
 * sum", "the sum of the first 256 elements", "the error is just in[7] = 8,
 * missing" ...  `x` may be NULL (then only what needs no data); `block` is
 * blockDim.x.
 * Elements are compared within the tolerance, and one is named only if no
 * other fits as well. */
void value_diagnose(const struct expected *, float got, const float *x,
                    uint64_t n, uint32_t block, char *text, size_t size);

#endif
