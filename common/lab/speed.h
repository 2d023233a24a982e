/* How fast a stage must be: its reference solution's modelled time on an
 * H200, stored here so that a copy of the kit without solutions/ judges the
 * same.  speed.def is made by `make figures`; a test keeps it fresh. */
#ifndef LAB_SPEED_H
#define LAB_SPEED_H

#include "lab/compile.h"
#include "lab/stage.h"

/* What is modelled: so many elements, the stage's default block and grid. */
enum { SPEED_N = 1 << 22 };
static const double SPEED_SLACK = 1.15; /* times the reference's */

struct speed {
    const char *stage;
    double nvcc_us, clang_us; /* by who compiled the kernel */
};

/* NULL if the stage has no threshold. */
const struct speed *speed_find(const struct stage *);
/* The reference's time with that compiler ("nvcc 13.0 ...", "clang ..."). */
double speed_reference_us(const struct speed *, const char *compiler);
/* So many times faster than the stage before it must be at least; 0: an H200
 * shows no gain there, and the counters alone judge the idea. */
double speed_gain(const struct stage *);

#endif
