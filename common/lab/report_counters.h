/* Counters for people (tables of 80 columns) and for programs (JSON). */
#ifndef LAB_REPORT_COUNTERS_H
#define LAB_REPORT_COUNTERS_H

#include "base/json.h"
#include "watch/counters.h"
#include <stdio.h>

enum counters_by { BY_TOTAL, BY_LINE, BY_STEP };

/* `source`: the kernel's file, whose lines are shown; NULL: none. */
void report_counters(FILE *, const struct counters *, enum counters_by,
                     const char *source);

/* Adds "counters": {...} with the totals under Nsight Compute's names. */
void report_counters_json(struct json *, const struct counters *);
/* Adds "lines": [...], "steps": [...] and what each counter is. */
void report_counters_parts_json(struct json *, const struct counters *);

/* "8-way conflict on line 14" for the worst access to shared memory among the
 * rows of a step (-1: of all); false if none has a conflict. */
bool report_worst_conflict(const struct counters *, int step, char *to,
                           size_t size);

#endif
