/* The input arrays.  The same name, seed and index give the same element on
 * every machine, and element i does not depend on n (spike, nan and inf
 * choose the place of their one special element from n).
 *
 * ones      1.0 everywhere.  Sees a wrong count, nothing else.
 * ramp      0.5, 1.5, ... 4095.5 and again.  Not whole: int truncation shows.
 * random    uniform in (-1, 1), never 0.  The running sum stays small in
 *           whatever order (about sqrt(n)), so rounding errors do, too: 99 %
 *           of the elements, rescaled, miss the sum by 0.06 * sqrt(n), many
 *           times the tolerance (see compare.h).
 * negative  in (-1, 0), never 0: a maximum that starts at 0 shows.
 * integers  whole numbers whose sums are exact in float in any order, so that
 *           the tolerance is 0.  |x[i]| = i + 1 for i < 2048: all different,
 *           an error names its element.  From there on magnitudes shrink so
 *           that neither the positive nor the negative elements sum beyond
 *           2^24: up to 64, 32, 16, 8, 4, then 1..3, from 2^23 on 1.  Signs
 *           are random.  No element is 0, so one that is missing or doubled
 *           always shows; one read twice in place of another shows unless
 *           both are equal (never below 2048, one time in six beyond).
 * spike     one element of 2^20 among elements in (0, 1).
 * cancel    pairs +a, -a + r with a up to 10000 and r in [0, 1), now and then
 *           0, -0: the sum is small beside the elements.
 * nan       random with one NaN; the right sum is NaN.
 * inf       random with one +inf; the right sum is +inf. */
#ifndef LAB_DATA_H
#define LAB_DATA_H

#include "base/error.h"
#include <stdint.h>

enum data_kind {
    DATA_ONES,
    DATA_RAMP,
    DATA_RANDOM,
    DATA_NEGATIVE,
    DATA_INTEGERS,
    DATA_SPIKE,
    DATA_CANCEL,
    DATA_NAN,
    DATA_INF,
    DATA_KINDS
};

struct data_info {
    const char *name;
    const char *meaning; /* one line for `lab list --data` */
};
extern const struct data_info data_sets[DATA_KINDS];

/* An unknown name: "did you mean", and the names. */
bool data_find(const char *name, enum data_kind *, struct error *);

/* Writes x[from .. from + count) of an array of n elements to out[0..]. */
void data_fill(enum data_kind, uint64_t seed, uint64_t n, uint64_t from,
               uint64_t count, float *out);

#endif
