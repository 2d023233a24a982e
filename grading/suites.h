/* What the grader judges: every stage by every suite.
 *
 * A suite is one file that fills a Check suite with one test case a stage,
 * and one row of the table in suites.c.  To add one (clean, concept, fast),
 * write the file and add the row.
 *
 * Check runs each test in a process of its own with a time limit, so a stage
 * that crashes or hangs the simulator costs that stage only.  Students' code
 * is PTX that the simulator reads; nothing of theirs is ever linked, loaded
 * or started here. */
#ifndef GRADING_SUITES_H
#define GRADING_SUITES_H

#include "base/arena.h"
#include "lab/chart.h"
#include "lab/home.h"
#include "lab/kernel.h"
#include "lab/run.h"
#include <check.h>

enum { GRADE_STAGES = 32, GRADE_SUITES = 8 };

/* What became of a stage so far.  Lies in memory that the test processes
 * share with the grader. */
struct stage_state {
    bool is_wrong;      /* a case failed: the ones after it are not tried */
    bool is_unjudged;   /* we could not find out: no compiler, no memory ... */
    char message[2200]; /* the first thing that went wrong */
    char again[600];    /* a command that shows it */
};

/* What came of compiling a stage ahead.  Shared, too. */
struct stage_compiled {
    enum outcome outcome; /* OK also if it was not tried */
    char message[2200];
};

/* How far the grader is.  Shared, too. */
struct grade_clock {
    struct ticker ticker;
    int done, total; /* cases */
};

struct grading {
    struct home home;
    const char *from;             /* "labs", "solutions" or a folder */
    const char *compiler;         /* as compiler_find's choice */
    const char *device;           /* NULL: the simulator */
    bool is_chosen[GRADE_STAGES]; /* stages to judge, by index in `stages` */
    bool is_suite_left_out[GRADE_SUITES]; /* by index in grade_suites */
    struct stage_state *states;      /* [suite_count * stage_count], shared */
    struct grade_clock *clock;       /* shared */
    struct stage_compiled *compiled; /* [stage_count], shared */
    struct arena *names;             /* strings that live as long as the run */
};

struct grade_suite {
    const char *name; /* "correct" */
    int share;        /* of a stage's points, against the other suites */
    Suite *(*make)(const struct grading *, int suite_index);
};
extern const struct grade_suite grade_suites[];
extern const int grade_suite_count;

Suite *suite_correct(const struct grading *, int suite_index);
Suite *suite_concept(const struct grading *, int suite_index);
Suite *suite_fast(const struct grading *, int suite_index);
Suite *suite_clean(const struct grading *, int suite_index);

/* For suites: a test of Check gets one number.  We put the stage's index and
 * the number of the case into it. */
enum { CASES_PER_STAGE = 1000 };
/* Adds `count` cases of a test for the stage. */
void suite_add_cases(const struct grading *, TCase *, const TTest *, int stage,
                     int count);
/* "v3_sequential: correct": how results find their stage again. */
void suite_case_name(int suite, int stage, char *name, size_t size);

/* The stage under test, ready to launch; belongs to one test process. */
struct bench {
    const struct grading *grading;
    const struct stage *stage;
    struct stage_state *state;
    struct device *device;
    struct kernel kernel;
    int case_number;
};
/* Loads the stage of this test.  Ends the test if the stage is already known
 * to be wrong or not to be judged, or turns out so. */
void bench_open(struct bench *, const struct grading *, int suite, int number);
void bench_close(struct bench *);
/* Runs once and ends the test if the sum is not right. */
void bench_run(struct bench *, const struct run_spec *);
/* The same, and gives the sum. */
float bench_sum(struct bench *, const struct run_spec *);
/* As bench_run, and if there is any finding that is an error. */
void bench_run_clean(struct bench *, const struct run_spec *);
/* Runs once and counts; ends the test if the sum is wrong.  Free them. */
struct counters *bench_count(struct bench *, const struct run_spec *);
/* Ends the test: this stage is wrong. */
void bench_fail(struct bench *, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));
/* Ends the test: we could not find out. */
void bench_unjudged(struct bench *b, const char *why) __attribute__((noreturn));
/* Loads the stage's kernel on another device; ends the test if it cannot. */
void bench_load(struct bench *b, struct device *, struct kernel *);

#endif
