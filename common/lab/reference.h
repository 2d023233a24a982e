/* The right sum, whatever the order: floats are counted into one integer bin
 * for each sign and exponent, the bins are added as one long integer, and
 * that is rounded once.  No float addition takes part, so compiler flags and
 * order cannot change it. */
#ifndef LAB_REFERENCE_H
#define LAB_REFERENCE_H

#include <stdint.h>

struct exact_sum {
    /* The sum of the 24-bit significands, by the top 9 bits of the float. */
    uint64_t bins[512];
    uint64_t nans, plus_infs, minus_infs, count;
};

void exact_add(struct exact_sum *, const float *x, uint64_t n);
void exact_add_one(struct exact_sum *, float x);

/* Correctly rounded (to nearest, ties to even).  NaN if there was a NaN or
 * infinities of both signs; 0 for an empty sum. */
float exact_float(const struct exact_sum *);
double exact_double(const struct exact_sum *);
/* The sum of |x| over the finite elements, rounded to double. */
double exact_magnitude(const struct exact_sum *);
/* The sum of x * x, never below it and at most twice as large. */
double exact_squares(const struct exact_sum *);
/* The sums of the positive and of the negative elements, the latter as a
 * positive number. */
double exact_positive(const struct exact_sum *);
double exact_negative(const struct exact_sum *);

/* For the lessons: what other ways of adding give. */
float sum_serial_float(const float *x, uint64_t n);
float sum_pairwise_float(const float *x, uint64_t n); /* halves, to the end */
double sum_serial_double(const float *x, uint64_t n);

#endif
