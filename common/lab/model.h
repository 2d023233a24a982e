/* The time of a kernel on a GPU that is not here, without running the whole
 * grid: only the blocks that the time model looks at (watch/cost.h) are
 * launched, so 2^28 elements take as little as 2^20.  No sum comes out; what
 * is judged by its value is run elsewhere (run.h). */
#ifndef LAB_MODEL_H
#define LAB_MODEL_H

#include "lab/kernel.h"
#include "watch/cost.h"

/* An input for kernels of one device; random numbers, 2^20 of them and again
 * from the first: the rest takes no memory. */
struct model_input;
struct model_input *model_input_new(struct device *, uint64_t n,
                                    struct error *);
void model_input_free(struct model_input *); /* NULL is fine */

struct model_spec {
    const struct gpu *gpu;
    uint64_t n;
    uint32_t block;
    uint64_t grid;  /* 0: model_grid() */
    int64_t shared; /* dynamic shared bytes; -1: block * 4 */
    int threads;    /* of the host */
    const volatile int *cancel;
};
/* False with a message when it could not start, or did not end. */
bool model_time(const struct kernel *, struct model_input *,
                const struct model_spec *, struct cost_result *,
                struct error *);

/* The grid that a stage has on that GPU. */
uint64_t model_grid(const struct stage *, const struct gpu *, uint64_t n,
                    uint32_t block, uint32_t shared_bytes);

#endif
