/* Figures measured on a GPU (tests/golden/), and the same launches here. */
#ifndef SUPPORT_GOLDEN_H
#define SUPPORT_GOLDEN_H

#include "device/device.h"

enum { GOLDEN_COLUMNS = 80 };

/* One line of a table: what was launched, and what was measured. */
struct golden_row {
    char kernel[64];
    uint64_t n, grid;
    uint32_t block;
    double value[GOLDEN_COLUMNS]; /* by column of the table */
};
struct golden {
    char name[GOLDEN_COLUMNS]
             [96]; /* of the columns after kernel,n,block,grid */
    int columns;
    struct golden_row *rows;
    int count;
};
/* Reads a table; false with a message.  golden_free it either way. */
bool golden_read(struct golden *, const char *path, struct error *);
void golden_free(struct golden *);
/* The index of a column, or -1. */
int golden_column(const struct golden *, const char *name);
/* Is it one of the solutions, and not one of the other kernels? */
bool golden_is_solution(const struct golden_row *);

/* Launches FOLDER/KERNEL.ptx on the simulator with the same elements as
 * tests/golden/measure.c and counts.  `beside`: a watcher that looks on, or
 * NULL.  NULL with a message. */
struct counters *golden_count(const char *folder, const struct golden_row *,
                              struct watcher *beside, struct error *);

/* What a counter or ratio of ours says under that name; false: we have none. */
bool golden_ours(const struct counters *, const char *name, double *value);

#endif
