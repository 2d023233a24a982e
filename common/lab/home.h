/* Where the kit lies on this machine: found from the program's own place
 * (build/bin/lab: the nearest folder above it that holds
 * common/device/lab.cuh), or taken from the variable LAB_HOME. */
#ifndef LAB_HOME_H
#define LAB_HOME_H

#include "base/error.h"
#include <stddef.h>

struct home {
    char root[1024];  /* the checkout: labs/ solutions/ common/ grading/ */
    char cache[1024]; /* compiled PTX, see compile.h; "" if no folder of ours
                          can be written */
    char state[1024]; /* build/: progress.txt; "" if read-only */
};

/* Fills in `home` and makes the folders it can make. */
bool home_find(struct home *, struct error *);

/* root/labs/v3_sequential/kernel.cu for from = "labs".  A `from` that is
 * neither "labs" nor "solutions" is a folder of the user's, as typed.
 * "skeletons" is grading/skeletons/v3_sequential.cu, the pristine copy that
 * `lab reset` and `lab diff` go back to (labs/ as it was shipped). */
bool home_kernel(const struct home *, const char *from, const char *stage,
                 char *path, size_t size, struct error *);

/* Makes a folder and those above it; true if it is there afterwards. */
bool make_folders(const char *path);

#endif
