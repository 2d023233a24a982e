/* What `lab sweep` and `lab experiment` share: a table on the screen and the
 * same rows as CSV under build/. */
#ifndef GRADING_EXPERIMENT_H
#define GRADING_EXPERIMENT_H

#include "grading/cmd.h"
#include "lab/model.h"

struct bench_desk {
    struct context *context;
    const struct options *options;
    const struct gpu *gpu;
    struct device *device;
    struct model_input *input;
    FILE *csv;
    char path[1100]; /* of the CSV */
    struct error error;
};
/* Opens the device, an input of `most` floats and build/NAME.csv with this
 * first line.  False: error says why.  Close it in any case. */
bool desk_open(struct bench_desk *, struct context *, const struct options *,
               const char *name, const char *columns, uint64_t most);
/* Says where the CSV is, if all went well; returns the exit status. */
int desk_close(struct bench_desk *, bool ok);
bool desk_load(struct bench_desk *, const char *target, const char *from,
               struct kernel *);
/* The modelled time; grid 0: the stage's. */
bool desk_time(struct bench_desk *, const struct kernel *, uint64_t n,
               uint32_t block, uint64_t grid, struct cost_result *);

/* Rows over blocks of 64 to 1024 threads, and over blocks an SM where the
 * grid is free. */
bool sweep_rows(struct bench_desk *, const struct kernel *, uint64_t n);

#endif
