/* Loops without a way out get one.  See graph.h.
 *
 * Such a loop ends in a strongly connected part of the graph that no edge
 * leaves.  The parts are found as Tarjan did (1972): depth first, each block
 * with the earliest one still open that it can go back to; the first block of
 * a part is where the loop begins. */
#include "ptx/graph.h"

struct parts {
    const struct graph *graph;
    int *number; /* order of the walk, from 1; 0 = unseen */
    int *low;    /* the earliest block still open that it reaches */
    int *part;   /* its first block, -1 = still open */
    int *open;   /* a stack */
    int *stack, *edge;
    int count, open_count;
};

static void enter(struct parts *p, int node, int depth)
{
    p->number[node] = p->low[node] = ++p->count;
    p->part[node] = -1;
    p->open[p->open_count++] = node;
    p->stack[depth] = node;
    p->edge[depth] = p->graph->successors.first[node];
}

static void lower(struct parts *p, int node, int to)
{
    if (to < p->low[node])
        p->low[node] = to;
}

/* All that can be reached from here is known. */
static void leave(struct parts *p, int node)
{
    if (p->low[node] != p->number[node])
        return;
    int last;
    do {
        last = p->open[--p->open_count];
        p->part[last] = node;
    } while (last != node);
}

static void walk(struct parts *p, int start)
{
    const struct edges *out = &p->graph->successors;
    int depth = 0;
    enter(p, start, 0);
    while (depth >= 0) {
        int node = p->stack[depth];
        if (p->edge[depth] == out->first[node + 1]) {
            leave(p, node);
            if (--depth >= 0)
                lower(p, p->stack[depth], p->low[node]);
            continue;
        }
        int to = out->to[p->edge[depth]++];
        if (!p->number[to])
            enter(p, to, ++depth);
        else if (p->part[to] < 0)
            lower(p, node, p->number[to]);
    }
}

static void find_parts(struct parts *p, struct arena *arena,
                       const struct graph *g)
{
    size_t nodes = (size_t)g->block_count + 1;
    int **arrays[] = {&p->number, &p->low,   &p->part,
                      &p->open,   &p->stack, &p->edge};
    *p = (struct parts){.graph = g};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = arena_array(arena, nodes, sizeof(int));
    for (int b = 0; b <= g->block_count; b++)
        if (!p->number[b])
            walk(p, b);
}

/* Of each block that begins a part which no edge leaves: its turn. */
static int *find_turns(struct graph *g, struct arena *arena,
                       const struct parts *p)
{
    const struct edges *out = &g->successors;
    int *turn = arena_array(arena, (size_t)g->block_count + 1, sizeof *turn);
    for (int b = 0; b < g->block_count; b++)
        turn[b] = p->part[b] == b ? 1 : 0;
    for (int b = 0; b < g->block_count; b++)
        for (int e = out->first[b]; e < out->first[b + 1]; e++)
            if (p->part[out->to[e]] != p->part[b])
                turn[p->part[b]] = 0;
    g->turn_of = arena_array(arena, (size_t)g->block_count + 1, sizeof(int));
    for (int b = 0; b < g->block_count; b++)
        if (turn[b]) {
            g->turn_of[g->turn_count] = b;
            turn[b] = g->block_count + 1 + g->turn_count++;
        }
    return turn;
}

/* The same edges, but those back to where such a loop begins lead to its turn;
 * two more for each turn. */
static void lead_to_turns(struct graph *g, struct arena *arena,
                          const struct parts *p, const int *turn)
{
    struct edges old = g->successors;
    int nodes = g->block_count + 1 + g->turn_count, count = 0;
    struct edges out = {arena_array(arena, (size_t)nodes + 1, sizeof(int)),
                        arena_array(arena,
                                    (size_t)old.first[g->block_count + 1] +
                                        2 * (size_t)g->turn_count,
                                    sizeof(int))};
    for (int b = 0; b <= g->block_count; b++) {
        out.first[b] = count;
        for (int e = old.first[b]; e < old.first[b + 1]; e++) {
            int to = old.to[e];
            bool is_back = turn[to] && p->part[b] == to;
            out.to[count++] = is_back ? turn[to] : to;
        }
    }
    for (int t = 0; t < g->turn_count; t++) {
        out.first[g->block_count + 1 + t] = count;
        out.to[count++] = g->turn_of[t];
        out.to[count++] = g->block_count;
    }
    out.first[nodes] = count;
    g->successors = out;
}

void graph_add_turns(struct graph *g, struct arena *arena)
{
    struct parts p;
    find_parts(&p, arena, g);
    const int *turn = find_turns(g, arena, &p);
    if (!g->turn_count)
        return;
    lead_to_turns(g, arena, &p, turn);
    graph_turn_round(&g->predecessors, arena, &g->successors,
                     g->block_count + 1 + g->turn_count);
}
