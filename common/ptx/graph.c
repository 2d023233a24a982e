/* From instructions to basic blocks and the edges between them. */
#include "ptx/graph.h"

bool ptx_ends_block(const struct ptx_insn *insn)
{
    switch (insn->op) {
    case OP_BRA:
    case OP_BRX:
    case OP_RET:
    case OP_EXIT:
    case OP_TRAP:
    case OP_BRKPT: return true;
    default: return false;
    }
}

bool *ptx_block_starts(struct arena *arena, const struct ptx_function *f)
{
    bool *starts =
        arena_array(arena, (size_t)f->insn_count + 1, sizeof *starts);

    starts[0] = true;
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        if (!ptx_ends_block(insn))
            continue;
        starts[i + 1] = true;
        if (insn->op == OP_BRA)
            starts[insn->operand[0].target] = true;
        for (int j = 0; j < insn->target_count; j++)
            starts[insn->targets[j].target] = true;
    }
    return starts;
}

static void make_blocks(struct graph *g, struct arena *arena)
{
    const struct ptx_function *f = g->function;
    bool *starts = ptx_block_starts(arena, f);
    size_t count = (size_t)f->insn_count + 1;

    g->block_of = arena_array(arena, count, sizeof *g->block_of);
    g->block_first = arena_array(arena, count + 1, sizeof *g->block_first);
    int block = -1;
    for (int i = 0; i < f->insn_count; i++) {
        if (starts[i])
            g->block_first[++block] = i;
        g->block_of[i] = block;
    }
    g->block_count = block + 1;
    g->block_of[f->insn_count] = g->block_count;
    g->block_first[g->block_count] = f->insn_count;
}

/* Calls visit(data, from, to) for the edges that leave a block.  A guarded
 * exit or return is none: the lanes that end there need not be met again. */
typedef void edge_fn(void *data, int from, int to);
static void each_edge(const struct graph *g, int block, edge_fn *visit,
                      void *data)
{
    int last = g->block_first[block + 1] - 1;
    const struct ptx_insn *insn = &g->function->insns[last];
    bool goes_on = !ptx_ends_block(insn) || insn->guard >= 0;

    if (insn->op == OP_BRA)
        visit(data, block, g->block_of[insn->operand[0].target]);
    else if (insn->op == OP_BRX)
        for (int i = 0; i < insn->target_count; i++)
            visit(data, block, g->block_of[insn->targets[i].target]);
    else if (!goes_on)
        visit(data, block, g->block_count);
    if (goes_on)
        visit(data, block, g->block_of[last + 1]);
}

/* Counts first, then fills: the usual two passes over the same edges. */
static void count_edge(void *data, int from, int to)
{
    struct graph *g = data;
    g->successors.first[from + 1]++;
    g->predecessors.first[to + 1]++;
}

struct filling {
    struct graph *graph;
    int *next_successor, *next_predecessor;
};

static void fill_edge(void *data, int from, int to)
{
    struct filling *f = data;
    f->graph->successors.to[f->next_successor[from]++] = to;
    f->graph->predecessors.to[f->next_predecessor[to]++] = from;
}

void graph_make(struct graph *g, struct arena *arena,
                const struct ptx_function *f)
{
    *g = (struct graph){.function = f};
    make_blocks(g, arena);
    size_t nodes = (size_t)g->block_count + 1;
    struct edges *sides[] = {&g->successors, &g->predecessors};
    for (int s = 0; s < 2; s++)
        sides[s]->first = arena_array(arena, nodes + 1, sizeof(int));
    for (int b = 0; b < g->block_count; b++)
        each_edge(g, b, count_edge, g);

    int *next[2];
    for (int s = 0; s < 2; s++) {
        int *first = sides[s]->first;
        next[s] = arena_array(arena, nodes, sizeof(int));
        for (size_t n = 0; n < nodes; n++) {
            next[s][n] = first[n];
            first[n + 1] += first[n];
        }
        sides[s]->to = arena_array(arena, (size_t)first[nodes], sizeof(int));
    }
    struct filling filling = {g, next[0], next[1]};
    for (int b = 0; b < g->block_count; b++)
        each_edge(g, b, fill_edge, &filling);
}
