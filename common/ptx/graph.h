/* A function's basic blocks as a graph, for flow.c and usage.c only. */
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
};
void graph_make(struct graph *, struct arena *, const struct ptx_function *);

#endif
