/* What an SM is asked to do for a PTX instruction: by which pipe, for how many
 * issue slots (sass.h), and how long its result takes.  Private to cost*.c. */
#ifndef WATCH_COST_LOWER_H
#define WATCH_COST_LOWER_H

#include "ptx/program.h"

enum cost_pipe {
    PIPE_VALUE,   /* arithmetic, moves; with no issue slot: only a name */
    PIPE_SHARED,  /* ld, st, atom on shared memory */
    PIPE_GLOBAL,  /* ld, st on global and local memory */
    PIPE_ATOMIC,  /* atom, red on global memory */
    PIPE_SHUFFLE, /* shfl, match, redux */
    PIPE_BARRIER, /* of the block */
    PIPE_FENCE,
    PIPE_BRANCH,
};

struct cost_lowered {
    enum cost_pipe pipe;
    int issue;              /* machine instructions */
    int ints, xus, doubles; /* of these, on the pipes of whole numbers, of
                       conversions and special functions, of doubles */
    int latency;      /* cycles until the result may be used; 0: as the pipe and
                       the GPU's profile say */
    bool is_bound;    /* the compiler moves nothing across it */
    bool is_constant; /* reads the parameters, or other constants */
    bool is_kept;     /* local memory that became registers */
    bool is_joined;   /* goes with its neighbour's access before it */
    bool is_folded;   /* a branch that became predicates */
    int body_issue;   /* is_folded: machine instructions of what it skips */
};

/* Of a list of instructions, where the code of each begins: 16 bytes a
 * machine instruction. */
enum { CODE_BYTES = 16, CODE_LINE = 128 };

/* One for each instruction of the function; memory comes from the arena. */
struct cost_lowered *cost_lower(struct arena *, const struct ptx_function *);

#endif
