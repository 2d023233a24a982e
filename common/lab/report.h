/* What people and programs get to read: text of at most 80 columns, with
 * colour only on a terminal and without NO_COLOR; or one JSON object. */
#ifndef LAB_REPORT_H
#define LAB_REPORT_H

#include "base/json.h"
#include "lab/run.h"
#include <stdio.h>

enum colour { COLOUR_RED, COLOUR_GREEN, COLOUR_YELLOW, COLOUR_BOLD };
/* The escape sequence, or "" when `out` is no terminal or NO_COLOR is set. */
const char *colour_on(FILE *out, enum colour);
const char *colour_off(FILE *out);

/* `text` in lines of at most 80 columns, each with `indent` spaces in front;
 * its own line breaks stay. */
void report_wrapped(FILE *out, int indent, const char *text);

/* Shape, value, expected, error, tolerance, verdict, findings, host time. */
void report_run(FILE *out, const struct kernel *, const struct run_spec *,
                const struct run_result *);
/* "modelled, NVIDIA H200: 9.89 us, 424 GB/s ..."; nothing if not known. */
void report_time(FILE *, const struct run_result *);
void report_findings(FILE *out, const struct finding_list *);

/* Adds the fields of `lab run --json` to the open object. */
void report_run_json(struct json *, const struct kernel *,
                     const struct run_spec *, const struct run_result *);
/* Adds "findings": [...]. */
void report_findings_json(struct json *, const struct finding_list *);

/* Flushes; false with a message if the output took no more. */
bool report_finish(FILE *out, struct error *);

#endif
