/* Where control can go in a function, and what becomes of its registers.
 *
 *     if (p) A; else B; C;         block 0 --p--> A --.
 *                                        \-------> B --+--> C
 *
 * A branch's lanes meet again at its immediate postdominator: the first
 * instruction that every way to the end passes (C above). */
#ifndef PTX_FLOW_H
#define PTX_FLOW_H

#include "ptx/program.h"

/* Does control leave here for somewhere else than the next instruction (or
 * also there, when it is guarded)? */
bool ptx_ends_block(const struct ptx_insn *);

/* A bool for every instruction: may control come here from elsewhere?  From
 * one such instruction up to the next all lanes go together. */
bool *ptx_block_starts(struct arena *, const struct ptx_function *);

/* A register read by an instruction that some way from the function's start
 * reaches without a write of it. */
struct ptx_use {
    int insn;
    int reg;
};
/* Facts about registers, each on the safe side: `unset` may name a read that
 * never sees the register unset, it misses none except reads under the same
 * guard as the write before them; `result_unused` is true only when no
 * instruction can ever see the result (a call keeps everything of its own
 * registers: functions do not share any). */
struct ptx_usage {
    struct ptx_use *unset;
    int unset_count;
    bool *result_unused; /* for every instruction; false without a result */
    bool skipped;        /* the function was too large */
};
/* Memory comes from the arena.  A function too large for the analysis (edges
 * times registers beyond 2^32) gets no findings and no unused results. */
struct ptx_usage ptx_register_usage(struct arena *,
                                    const struct ptx_function *);

/* Calls `visit` for every register that the instruction reads, the guard
 * included, then for every one it writes. */
typedef void ptx_register_fn(void *data, int reg, bool is_write);
void ptx_each_register(const struct ptx_insn *, ptx_register_fn *visit,
                       void *data);

#endif
