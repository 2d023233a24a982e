/* Reductions that are no sums, for the lessons: what a kernel of that operator
 * must give, and what the output holds before the launch.
 *
 * An element is seen as the operator needs it:
 *
 *     sum product max min   the float
 *     and or                true unless it is 0; the result is 1 or 0
 *     bitand bitor          the whole number |x| cut to 24 bits, which a float
 *                           holds exactly; the result is such a number
 *     argmax argmin         the float; the result is the place of the largest
 *                           or smallest, the lowest place of equal ones, as a
 *                           float (so n is 2^24 at most)
 *
 *     above         the float, if it is larger than 0.5
 *
 * NaN: max, min, argmax and argmin pass over it, as fmaxf does; sums and
 * products become NaN.  Of no elements, the result is the identity; a place
 * of none is 2^24 - 1. */
#ifndef LAB_REDUCTION_H
#define LAB_REDUCTION_H

#include "lab/compare.h"
#include "lab/data.h"

struct reduction {
    const char *name;   /* "max" */
    const char *symbol; /* "fmaxf(a, b)": how it is written */
    float identity;     /* the output before the launch, and of no elements */
    bool is_exact;      /* no rounding: the tolerance is 0 */
    /* The result of so many elements more: in and out as a double. */
    double (*fold)(double so_far, float x);
    bool is_place; /* the result is a place */
};
extern const struct reduction reductions[];
extern const int reduction_count;

/* An unknown name: "did you mean", and the names. */
const struct reduction *reduction_find(const char *name, struct error *);
/* The result over a data set.  For products the tolerance is n + 2 roundings;
 * what leaves the range of floats on the way may also be told as wrong, since
 * it depends on the order. */
struct expected reduction_expect(const struct reduction *, enum data_kind,
                                 uint64_t seed, uint64_t n);

#endif
