/* Where the lanes of a branch meet again: immediate postdominators.
 *
 * A postdominator of a block lies on every way from it to the end of the
 * function, so it is a dominator in the graph with all edges turned round,
 * seen from the end.  The method is that of Lengauer and Tarjan (1979), the
 * simple form: nearly linear, whatever the graph.
 *
 * A loop without a way out reaches no end.  It gets one before each turn
 * (graph_add_turns()): its lanes meet at the latest where the next begins. */
#include "ptx/graph.h"
#include "ptx/parse.h"

struct dominators {
    const struct graph *graph;
    int root;    /* the end of the function */
    int count;   /* nodes numbered so far */
    int *number; /* node -> order of the depth-first walk, -1 = unseen */
    int *node;   /* and back.  All arrays below are by number. */
    int *parent, *semi, *ancestor, *label, *idom;
    int *bucket, *bucket_next;
    int *stack, *stack_edge;
};

static void number_node(struct dominators *d, int node, int parent)
{
    int n = d->count++;
    d->number[node] = n;
    d->node[n] = node;
    d->parent[n] = parent;
    d->semi[n] = n;
    d->label[n] = n;
    d->ancestor[n] = -1;
    d->bucket[n] = -1;
}

/* Depth first against the edges. */
static void walk(struct dominators *d)
{
    const struct edges *back = &d->graph->predecessors;
    int depth = 0;

    number_node(d, d->root, -1);
    d->stack[0] = d->root;
    d->stack_edge[0] = back->first[d->root];
    while (depth >= 0) {
        int node = d->stack[depth];
        if (d->stack_edge[depth] == back->first[node + 1]) {
            depth--;
            continue;
        }
        int from = back->to[d->stack_edge[depth]++];
        if (d->number[from] >= 0)
            continue;
        number_node(d, from, d->number[node]);
        depth++;
        d->stack[depth] = from;
        d->stack_edge[depth] = back->first[from];
    }
}

/* The node with the smallest semidominator between v and the root of its
 * tree; shortens the path on the way (twice: down to collect, up to set). */
static int evaluate(struct dominators *d, int v)
{
    int depth = 0;

    if (d->ancestor[v] < 0)
        return d->label[v];
    for (int n = v; d->ancestor[d->ancestor[n]] >= 0; n = d->ancestor[n])
        d->stack[depth++] = n;
    while (depth-- > 0) {
        int n = d->stack[depth];
        int above = d->ancestor[n];
        if (d->semi[d->label[above]] < d->semi[d->label[n]])
            d->label[n] = d->label[above];
        d->ancestor[n] = d->ancestor[above];
    }
    return d->label[v];
}

/* One candidate for the semidominator of n: the edge n -> `to`. */
static void consider(struct dominators *d, int n, int to)
{
    int u = evaluate(d, d->number[to]);
    if (d->semi[u] < d->semi[n])
        d->semi[n] = d->semi[u];
}

static void find_idoms(struct dominators *d)
{
    const struct edges *out = &d->graph->successors;

    for (int n = d->count - 1; n > 0; n--) {
        int node = d->node[n];
        for (int e = out->first[node]; e < out->first[node + 1]; e++)
            consider(d, n, out->to[e]);
        d->bucket_next[n] = d->bucket[d->semi[n]];
        d->bucket[d->semi[n]] = n;
        int parent = d->parent[n];
        d->ancestor[n] = parent;
        for (int v = d->bucket[parent]; v >= 0; v = d->bucket_next[v]) {
            int u = evaluate(d, v);
            d->idom[v] = d->semi[u] < d->semi[v] ? u : parent;
        }
        d->bucket[parent] = -1;
    }
    for (int n = 1; n < d->count; n++)
        if (d->idom[n] != d->semi[n])
            d->idom[n] = d->idom[d->idom[n]];
}

static void find_dominators(struct dominators *d, struct arena *arena,
                            const struct graph *g)
{
    size_t nodes = (size_t)(g->block_count + 1 + g->turn_count);
    int **arrays[] = {&d->number,      &d->node,  &d->parent,    &d->semi,
                      &d->ancestor,    &d->label, &d->idom,      &d->bucket,
                      &d->bucket_next, &d->stack, &d->stack_edge};

    *d = (struct dominators){.graph = g, .root = g->block_count};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = arena_array(arena, nodes, sizeof(int));
    for (size_t i = 0; i < nodes; i++)
        d->number[i] = -1;
    walk(d);
    find_idoms(d);
}

void flow_reconverge(struct ptx_function *f)
{
    struct arena arena = {0};
    struct graph g;
    struct dominators d;

    graph_make(&g, &arena, f);
    graph_add_turns(&g, &arena);
    find_dominators(&d, &arena, &g);
    for (int b = 0; b < g.block_count; b++) {
        struct ptx_insn *last = &f->insns[g.block_first[b + 1] - 1];
        if (last->op != OP_BRA && last->op != OP_BRX)
            continue;
        int meet = d.node[d.idom[d.number[b]]];
        if (meet > g.block_count)
            meet = g.turn_of[meet - g.block_count - 1];
        last->reconverge = g.block_first[meet];
        if (last->op == OP_BRA && last->guard < 0) /* also in endless loops */
            last->reconverge = last->operand[0].target;
    }
    arena_free(&arena);
}
