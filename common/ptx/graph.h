/* A function's basic blocks as a graph, for flow.c, turns.c and usage.c only. */
#ifndef PTX_GRAPH_H
#define PTX_GRAPH_H

#include "ptx/flow.h"

/* Edges of node n: to[first[n]] .. to[first[n + 1] - 1]. */
struct edges {
    int *first, *to;
};
/* Node block_count is the end of the function: ret, exit, trap and running
 * off the last instruction lead there. */
struct graph {
    const struct ptx_function *function;
    int block_count;
    int *block_first; /* block -> first instruction; [block_count] = count */
    int *block_of;    /* instruction -> block; [insn_count] = block_count */
    struct edges successors, predecessors;
    int *turn_of; /* graph_add_turns(): turn -> block */
    int turn_count;
};
void graph_make(struct graph *, struct arena *, const struct ptx_function *);
/* The edges the other way round. */
void graph_turn_round(struct edges *to, struct arena *, const struct edges *,
                      int nodes);
/* A loop without a way out gets one, as if it could end before a new turn:
 * node block_count + 1 + t, to which all edges back to its first block lead,
 * and which leads there and to the end.  After this every node reaches the
 * end. */
void graph_add_turns(struct graph *, struct arena *);

#endif
