/* The subcommands of `lab`: one function each, in the cmd_*.c files, and the
 * options that they share. */
#ifndef GRADING_CMD_H
#define GRADING_CMD_H

#include "lab/chart.h"
#include "lab/report.h"
#include "lab/report_counters.h"

/* What every command gets. */
struct context {
    struct home home;
    const volatile int *cancel; /* nonzero after Ctrl-C */
};

/* Which commands an option belongs to. */
enum {
    FOR_RUN = 1 << 0,
    FOR_CHECK = 1 << 1,
    FOR_DEMO = 1 << 2,
    FOR_LIST = 1 << 3,
    FOR_HINT = 1 << 4,
    FOR_PROGRESS = 1 << 5,
    FOR_COUNTERS = 1 << 7,
    FOR_MODEL = 1 << 12, /* sweep experiment */
    FOR_TRACE = 1 << 13, /* trace compare */
    FOR_REPORT = 1 << 14,
    FOR_OTHERS = 1 << 6, /* doctor reset diff: none but --help */
};

struct options {
    /* as given; NULL, 0 or -1 if not */
    const char *from, *kernel, *device, *compiler, *data_name, *order_name;
    const struct reduction *reduction; /* NULL: the sum */
    const char *out;                   /* where a page goes */
    bool has_show;                     /* the block to show ... */
    uint64_t show;                     /* ... is this one */
    bool has_n, has_block, has_seed, has_checks;
    bool json, list_data, list_checks, list_gpus, help;
    const struct gpu *gpu;
    uint32_t checks;
    uint64_t n, grid, offset, seed, budget;
    uint32_t block;
    int64_t shared;
    int threads, level;
    enum data_kind data;
    enum block_order order;
    enum counters_by by;
    char **words; /* what is no option: the stage */
    int word_count;
};

/* Reads argv (argv[0] is the command's name); options may stand anywhere.
 * `commands` is one FOR_ bit.  False with a message. */
bool options_read(int argc, char **argv, int command, struct options *,
                  struct error *);
/* Puts those that were given over the defaults of a spec. */
void options_apply(const struct options *, struct run_spec *);
/* The GPU whose time is modelled, and the grid that the stage has there. */
void options_gpu(const struct options *, const struct kernel *,
                 struct run_spec *);
/* The option lines of one command, for its --help. */
void options_help(FILE *out, int command);

/* Each returns the exit status: 0 passed, 1 failed, 2 could not run. */
typedef int command_fn(struct context *, const struct options *);
command_fn cmd_list, cmd_doctor, cmd_run, cmd_check, cmd_demo, cmd_hint,
    cmd_reset, cmd_diff, cmd_progress, cmd_sweep, cmd_experiment, cmd_counters,
    cmd_trace, cmd_compare, cmd_report, cmd_plot;

/* cmd_demo on a device that has a clock; n floats. */
int demo_timed(struct context *, const struct options *, struct device *,
               uint64_t n);

/* Can a page be made and put where --out says or, without it, in build/? */
bool page_can_be_written(const struct context *, const struct options *,
                         struct error *);
/* The kernel's text as "source", if it is not longer than 256 KiB. */
void page_add_source(struct json *, const struct kernel *);
/* Makes a page from grading/view/FRAME.html and says where it is: in
 * build/NAME.html or where --out says. */
bool page_write(const struct context *, const struct options *,
                const char *frame, const char *name, const char *title,
                const struct json *data, struct error *);

/* "lab: message" on stderr; returns 2. */
int cannot(const struct error *);

/* progress.txt: one line a stage, "NAME STATE HASH", where HASH is over the
 * kernel's text, so that a later change shows. */
void progress_note(const struct context *, const struct stage *,
                   const char *file, const char *state);

#endif
