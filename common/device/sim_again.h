/* Does what a launch left behind depend on garbage, that is on words that
 * nobody wrote?  The exact answer: put memory back, run it again with other
 * garbage, and compare.  Only launches that met garbage pay for it. */
#ifndef DEVICE_SIM_AGAIN_H
#define DEVICE_SIM_AGAIN_H

#include "sim/launch.h"
#include "watch/finding.h"

/* The contents of all buffers that kernels can change. */
struct snapshot {
    uint8_t *bytes; /* NULL: none was taken */
    size_t size;
};
/* Beyond SNAPSHOT_MAX bytes none is taken. */
#define SNAPSHOT_MAX ((size_t)64 << 20)
void snapshot_take(struct snapshot *, const struct memory *);
void snapshot_free(struct snapshot *);

/* Settles the findings that hang on garbage (finding_settle).  `ran` is how
 * the launch went from the state `before`; memory is as it left it, now and
 * afterwards. */
void again_settle(const struct launch *, const struct launch_result *ran,
                  const struct snapshot *before, struct finding_list *);

#endif
