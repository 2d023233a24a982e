/* How often does a kernel add each element?  Proven by running it on inputs
 * made for the question, not guessed from one wrong sum.
 *
 * If the kernel adds element i c[i] times, an input that is zero except for
 * eight elements 1, 8, 64 ... 8^7 returns their eight counters as the octal
 * digits of the sum, exactly.  n/8 runs give all counters.  For larger n a
 * binary search over inputs "1 for i < m, else 0" finds a place with
 * c[i] != 1 in log2 n runs. */
#ifndef LAB_PROBE_H
#define LAB_PROBE_H

#include <stdbool.h>
#include <stdint.h>

/* Runs the kernel on in[0..n) and returns the output, which began as 0.
 * False: the run itself failed; the probe then proves nothing. */
typedef bool probe_run(void *data, const float *in, uint64_t n, float *out);

struct probe {
    bool is_proven;   /* the fields below hold */
    bool is_first;    /* `index` is the first such element of all */
    uint64_t index;   /* an element that is not added exactly once */
    uint32_t times;   /* how often it is added instead: 0, 2, 3 ... */
    uint64_t missing; /* elements never added, if is_first */
    uint64_t doubled; /* elements added more than once, if is_first */
    float constant;   /* what comes out when all elements are 0; if that
                             is not 0 nothing is proven */
    uint32_t runs;    /* launches it took */
};

/* `scratch` holds n floats, the probe writes the inputs there. */
struct probe probe_elements(probe_run *run, void *data, float *scratch,
                            uint64_t n);

#endif
