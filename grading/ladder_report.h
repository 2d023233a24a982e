/* The report: one page about a run of the ladder.  `lab report` makes it, and
 * `lab demo` on the way.
 *
 * A stage has the run that is shown (`n` elements, checks, the modelled time)
 * and, made here, a second one that is counted, on COUNT_N elements at most:
 * counting costs time, and counters of a large run are those of a small one
 * times its size. */
#ifndef GRADING_LADDER_REPORT_H
#define GRADING_LADDER_REPORT_H

#include "grading/cmd.h"
#include "lab/timing.h"

/* What was measured on a GPU: a timing for each stage of the table, what its
 * own copy reaches, how long an empty kernel takes. */
struct ladder_clock {
    const struct timing *timings;
    double copy_gb_s, empty_ms;
};

/* Runs all stages on the simulator, writes the page, says where it is.
 * `line` describes the device; `clock`: NULL without a GPU.  Returns
 * the exit status. */
int ladder_report_make(struct context *, const struct options *, uint64_t n,
                       const char *line, const struct ladder_clock *clock);

/* The same in pieces. */
struct ladder_report;
struct ladder_report *ladder_report_new(struct context *,
                                        const struct options *, uint64_t n,
                                        const char *device,
                                        const struct ladder_clock *);
/* A kernel of the simulator with its run; `measured`: on a GPU, or NULL. */
void ladder_report_add(struct ladder_report *, const struct kernel *,
                       const struct run_spec *, const struct run_result *,
                       const struct timing *measured);
/* A stage that could not be run, and why. */
void ladder_report_add_error(struct ladder_report *, const struct stage *,
                             const char *why);
/* Writes the page and prints its path; false with a message. */
bool ladder_report_write(struct ladder_report *, struct error *);
void ladder_report_free(struct ladder_report *); /* NULL is fine */

#endif
