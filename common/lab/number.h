/* Numbers as people type them. */
#ifndef LAB_NUMBER_H
#define LAB_NUMBER_H

#include "base/error.h"
#include <stddef.h>
#include <stdint.h>

/* 20000000, 20M, 20k, 1G (thousands), 20Mi (1024s), 1.5M, 2^24, 1e6.  `what`
 * names the number in the message ("--n").  The value must be whole and lie in [min, max]. */
bool number_parse(const char *text, const char *what, uint64_t min,
                  uint64_t max, uint64_t *value, struct error *);

/* 10000000 -> "10,000,000"; returns buffer. */
const char *number_text(uint64_t value, char *buffer, size_t size);

/* The smallest number of letters to insert, drop, change or swap that turns
 * one word into the other (case does not count): for "did you mean". */
int edit_distance(const char *a, const char *b);

#endif
