/* What `lab sweep` and `lab experiment` share: a table on the screen and the
 * same rows as CSV under build/. */
#ifndef GRADING_EXPERIMENT_H
#define GRADING_EXPERIMENT_H

#include "grading/cmd.h"
#include "lab/model.h"

enum { DESK_BARS = 64 };

struct bench_desk {
    struct context *context;
    const struct options *options;
    const struct gpu *gpu;
    struct device *device;
    struct model_input *input;
    FILE *csv;
    const char *name; /* "ladder" */
    char path[1100];  /* of the CSV */
    struct chart_bar bars[DESK_BARS];
    int bar_count;
    const char *bars_title; /* "GB/s" */
    bool bars_log;
    struct ticker ticker;
    struct error error;
};
/* Opens the device, an input of `most` floats and build/NAME.csv with this
 * first line.  False: error says why.  Close it in any case. */
bool desk_open(struct bench_desk *, struct context *, const struct options *,
               const char *name, const char *columns, uint64_t most);
/* A share of the work is done: time left, on a terminal.  Call it before each
 * row, and desk_row when a row follows. */
void desk_progress(struct bench_desk *, double share);
void desk_row(struct bench_desk *);
/* A bar of the chart that desk_close prints. */
void desk_bar(struct bench_desk *, double value, const char *text,
              const char *label, ...) __attribute__((format(printf, 4, 5)));
/* The chart; says where the CSV is and the pictures, if all went well; returns
 * the exit status. */
int desk_close(struct bench_desk *, bool ok);
bool desk_load(struct bench_desk *, const char *target, const char *from,
               struct kernel *);
/* The modelled time; grid 0: the stage's. */
bool desk_time(struct bench_desk *, const struct kernel *, uint64_t n,
               uint32_t block, uint64_t grid, struct cost_result *);

/* Draws build/NAME.csv with gnuplot as NAME.svg and NAME.png beside it and
 * says so; a line that says how to get gnuplot if it is not here.  False with
 * a message if gnuplot refuses. */
bool plot_draw(const struct context *, const char *name, struct error *);
/* The name of an experiment, from 0; NULL behind the last. */
const char *experiment_name(int);

/* Rows over blocks of 64 to 1024 threads, and over blocks an SM where the
 * grid is free. */
bool sweep_rows(struct bench_desk *, const struct kernel *, uint64_t n);

#endif
