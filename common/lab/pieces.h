/* Data sets made by all cores: into an array, or, where host memory is better
 * not taken for the whole, in pieces that are sent to the device. */
#ifndef LAB_PIECES_H
#define LAB_PIECES_H

#include "device/device.h"
#include "lab/data.h"
#include "lab/reference.h"

/* Writes the data set of n elements to out[0..n), and adds them to *sum (which
 * the caller zeroes). */
void pieces_fill(enum data_kind, uint64_t seed, uint64_t n, float *out,
                 struct exact_sum *sum);
/* Writes the data set of n elements to the buffer from byte `at` on, and adds
 * the elements to *sum (which the caller zeroes). */
bool pieces_upload(struct device *, struct device_buffer *, uint64_t at,
                   enum data_kind, uint64_t seed, uint64_t n,
                   struct exact_sum *sum, struct error *);

#endif
