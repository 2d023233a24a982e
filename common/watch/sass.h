/* What the hardware's own compiler makes of PTX: an estimate.
 *
 * A GPU does not run PTX.  ptxas turns it into machine instructions (SASS), and
 * a profiler counts those.  Counts that follow from addresses are the same for
 * both; counts of instructions are not.  This file says, for each PTX
 * instruction, how many machine instructions it becomes, by rules that hold
 * for the compiler and not for a kernel:
 *
 *   - what only names a thing vanishes (cvta, copies, constants), or is
 *     fetched again where it is used (kernel arguments, shared addresses)
 *   - pairs melt into one: shl + add, mul + add, logic of logic
 *   - 64-bit whole numbers take two instructions, a division many
 *   - a short `if` becomes predicated: its body is issued by every warp that
 *     comes along, for the lanes that want it
 *   - a long one is framed by two instructions, so that its lanes meet again
 *   - shuffles and votes where lanes may have parted are tested for that
 *   - whole numbers that all lanes of a warp add to one place are added up
 *     first, and one lane goes to memory with the sum
 *   - neighbours in shared memory are loaded and stored together
 *   - divisions by the same number share its reciprocal
 *
 * The rules were read off what ptxas 13.0 does for sm_90. */
#ifndef WATCH_SASS_H
#define WATCH_SASS_H

#include "ptx/program.h"

struct sass_insn {
    uint16_t cost;   /* machine instructions for each time it is issued */
    uint16_t idle;   /* of them: predicated corrections that are seldom due */
    bool is_jump;    /* one more: a jump, taken by some of the lanes */
    bool is_exit;    /* that jump ends the thread */
    bool is_meeting; /* of `cost`, one waits for parted lanes */
    bool is_check; /* of `cost`, one looks for parted lanes, and jumps if so */
    bool is_end;   /* of `cost`, one ends the thread */
    bool is_red;   /* an atomic whose answer nobody reads */
    /* What becomes of accesses (sass_memory.c). */
    bool is_gathered;   /* an atomic that one lane does for its warp */
    bool merges_lanes;  /* an atomic that counts: lanes of a word go together */
    bool is_kept;       /* local memory that became registers */
    bool is_joined;     /* goes with a neighbour's access before it */
    uint8_t join_bytes; /* its neighbours go with it: so many aligned bytes */
    int32_t joins_next; /* goes with those of the next trip of the loop that
                           begins there, where ptxas writes trips behind each
                           other; 0: not */
    /* A branch whose body is predicated with it, or -1.  Such an instruction
     * is issued as often as that branch. */
    int32_t with;
    /* For each turn of an atomic in shared memory that has no instruction of
     * its own: a loop over the lanes that want the same word. */
    uint16_t loop_cost;
};

/* Costs of all instructions of a function, from the arena. */
struct sass_insn *sass_estimate(struct arena *, const struct ptx_function *);

/* ---- for sass*.c ----------------------------------------------------------*/

/* What the rules ask about registers and places. */
struct sass_facts {
    const struct ptx_function *function;
    struct arena *arena;
    struct sass_insn *out;
    int *def;       /* by register: the instruction that writes it, -1 none */
    uint16_t *defs; /* how many write it */
    uint16_t *uses; /* how many read it */
    int *use;       /* the last one that reads it, or -1 */
    bool *varies;   /* by register: may differ between the lanes of a warp */
    bool *starts;   /* by instruction: control may come from elsewhere */
    int *block;     /* by instruction: a number for its straight piece */
    uint8_t *depth; /* by instruction: loops around it */
    int *outer;     /* by instruction: first one of its outermost loop, or
                           -1 */
    bool *hoisted;  /* by instruction: done before its loop */
    /* Addresses of shared variables: of what (an instruction that names it, or
     * -1), and to which instruction they were charged. */
    struct sass_made {
        int what, at;
    } * made;
    int made_count;
};
enum { SASS_SHARED_ADDRESS = 3 }; /* machine instructions that make one */
/* Facts to costs: what sass_memory.c knows. */
void sass_atomics(struct sass_facts *);
void sass_local(struct sass_facts *);
void sass_join(struct sass_facts *);
/* Branches become predicates, jumps and frames: sass_branch.c, which comes
 * when all costs are known. */
void sass_branches(struct sass_facts *);
bool sass_is_return(const struct ptx_insn *);
/* Divisions by the same number share its reciprocal; a loop gets it from
 * before its start. */
void sass_share_divisors(struct sass_facts *);
/* Machine instructions of one PTX instruction where it stands. */
int sass_cost(const struct sass_facts *, int index);
/* Those of them that are predicated and seldom do anything. */
int sass_idle_cost(const struct ptx_insn *);
/* The cost of a value that is fetched where it is used; 0: it is not. */
int sass_leaf_cost(const struct ptx_insn *);
/* The one instruction that writes the register of a source, if it is a
 * register that only one writes; else NULL. */
const struct ptx_insn *sass_source(const struct sass_facts *,
                                   const struct ptx_operand *);

#endif
