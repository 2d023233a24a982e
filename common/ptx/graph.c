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
    struct edges *out = data;
    (void)to;
    out->first[from + 1]++;
}

struct filling {
    struct edges *edges;
    int *next;
};

static void fill_edge(void *data, int from, int to)
{
    struct filling *f = data;
    f->edges->to[f->next[from]++] = to;
}

/* first[] holds counts, one place on: makes places of them; `to` begins at a
 * copy of them. */
static struct filling start_filling(struct edges *e, struct arena *arena,
                                    int nodes)
{
    struct filling f = {e, arena_array(arena, (size_t)nodes + 1, sizeof(int))};
    for (int n = 0; n < nodes; n++) {
        f.next[n] = e->first[n];
        e->first[n + 1] += e->first[n];
    }
    e->to = arena_array(arena, (size_t)e->first[nodes], sizeof(int));
    return f;
}

void graph_turn_round(struct edges *to, struct arena *arena,
                      const struct edges *from, int nodes)
{
    to->first = arena_array(arena, (size_t)nodes + 1, sizeof(int));
    for (int e = 0; e < from->first[nodes]; e++)
        to->first[from->to[e] + 1]++;
    struct filling f = start_filling(to, arena, nodes);
    for (int n = 0; n < nodes; n++)
        for (int e = from->first[n]; e < from->first[n + 1]; e++)
            fill_edge(&f, from->to[e], n);
}

void graph_make(struct graph *g, struct arena *arena,
                const struct ptx_function *f)
{
    *g = (struct graph){.function = f};
    make_blocks(g, arena);
    int nodes = g->block_count + 1;
    g->successors.first = arena_array(arena, (size_t)nodes + 1, sizeof(int));
    for (int b = 0; b < g->block_count; b++)
        each_edge(g, b, count_edge, &g->successors);
    struct filling filling = start_filling(&g->successors, arena, nodes);
    for (int b = 0; b < g->block_count; b++)
        each_edge(g, b, fill_edge, &filling);
    graph_turn_round(&g->predecessors, arena, &g->successors, nodes);
}
