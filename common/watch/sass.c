/* What ptxas makes of a function: facts about registers, then a cost for each
 * instruction.  See sass.h. */
#include "watch/sass.h"
#include "ptx/flow.h"

#include <string.h>

/* ---- facts -------------------------------------------------------------------*/

struct note {
    struct sass_facts *facts;
    int index;
};

static void note_register(void *data, int reg, bool is_write)
{
    struct note *n = data;
    struct sass_facts *f = n->facts;
    if (is_write) {
        f->def[reg] = n->index;
        if (f->defs[reg] < UINT16_MAX)
            f->defs[reg]++;
        return;
    }
    f->use[reg] = n->index;
    if (f->uses[reg] < UINT16_MAX)
        f->uses[reg]++;
}

static void find_places(struct sass_facts *f)
{
    const struct ptx_function *function = f->function;
    int block = 0;
    for (int k = 0; k < function->insn_count; k++) {
        const struct ptx_insn *in = &function->insns[k];
        if (k && (f->starts[k] || ptx_ends_block(in - 1)))
            block++;
        f->block[k] = block;
        int target = in->op == OP_BRA ? in->operand[0].target : k + 1;
        for (int i = target; i <= k; i++) {
            if (f->depth[i] < 9)
                f->depth[i]++;
            if (f->outer[i] < 0 || f->outer[i] > target)
                f->outer[i] = target;
        }
    }
}

/* Makes one value for all lanes, whatever its registers hold. */
static bool makes_one_value(const struct ptx_insn *in)
{
    return in->op == OP_VOTE || in->op == OP_REDUX || in->op == OP_ACTIVEMASK;
}

/* Whether the value that an instruction makes differs between lanes, leaving
 * its registers aside. */
static bool makes_difference(const struct ptx_insn *in)
{
    switch (in->op) {
    case OP_LD:
    case OP_LDU: return in->space != SPACE_PARAM && in->space != SPACE_CONST;
    case OP_ATOM:
    case OP_SHFL:
    case OP_MATCH:
    case OP_CALL:
    case OP_ELECT: return true;
    case OP_MOV:
        if (in->operand[1].kind != OPERAND_SPECIAL)
            return false;
        switch (in->operand[1].special) {
        case SR_NTID_X:
        case SR_NTID_Y:
        case SR_NTID_Z:
        case SR_CTAID_X:
        case SR_CTAID_Y:
        case SR_CTAID_Z:
        case SR_NCTAID_X:
        case SR_NCTAID_Y:
        case SR_NCTAID_Z:
        case SR_WARP_SZ:
        case SR_SMID:
        case SR_DYNAMIC_SMEM_SIZE: return false;
        default: return true;
        }
    default: return false;
    }
}

struct spread {
    struct sass_facts *facts;
    bool differs;
    bool changed;
};

static void spread_read(void *data, int reg, bool is_write)
{
    struct spread *s = data;
    if (!is_write && s->facts->varies[reg])
        s->differs = true;
}

static void spread_write(void *data, int reg, bool is_write)
{
    struct spread *s = data;
    if (!is_write || s->facts->varies[reg])
        return;
    s->facts->varies[reg] = true;
    s->changed = true;
}

static void find_varying(struct sass_facts *f)
{
    struct spread s = {.facts = f, .changed = true};
    while (s.changed) {
        s.changed = false;
        for (int k = 0; k < f->function->insn_count; k++) {
            const struct ptx_insn *in = &f->function->insns[k];
            s.differs = makes_difference(in);
            if (!makes_one_value(in))
                ptx_each_register(in, spread_read, &s);
            if (s.differs)
                ptx_each_register(in, spread_write, &s);
        }
    }
}

static struct sass_facts find_facts(struct arena *arena,
                                    const struct ptx_function *function)
{
    size_t registers = (size_t)function->register_count + 1;
    size_t insns = (size_t)function->insn_count + 1;
    struct sass_facts f = {
        .function = function,
        .arena = arena,
        .out = arena_array(arena, insns, sizeof *f.out),
        .def = arena_array(arena, registers, sizeof *f.def),
        .defs = arena_array(arena, registers, sizeof *f.defs),
        .uses = arena_array(arena, registers, sizeof *f.uses),
        .use = arena_array(arena, registers, sizeof *f.use),
        .varies = arena_array(arena, registers, sizeof *f.varies),
        .starts = ptx_block_starts(arena, function),
        .block = arena_array(arena, insns, sizeof *f.block),
        .depth = arena_array(arena, insns, sizeof *f.depth),
        .outer = arena_array(arena, insns, sizeof *f.outer),
        .hoisted = arena_array(arena, insns, sizeof *f.hoisted),
        .made = arena_array(arena, 4 * insns, sizeof *f.made),
    };
    memset(f.def, -1, registers * sizeof *f.def);
    memset(f.use, -1, registers * sizeof *f.use);
    memset(f.outer, -1, insns * sizeof *f.outer);
    for (int k = 0; k < function->insn_count; k++) {
        struct note n = {&f, k};
        ptx_each_register(&function->insns[k], note_register, &n);
        f.out[k].with = -1;
    }
    find_places(&f);
    find_varying(&f);
    return f;
}

const struct ptx_insn *sass_source(const struct sass_facts *f,
                                   const struct ptx_operand *o)
{
    if (o->kind != OPERAND_REGISTER && o->kind != OPERAND_ADDRESS)
        return NULL;
    if (o->reg < 0 || f->defs[o->reg] != 1)
        return NULL;
    return &f->function->insns[f->def[o->reg]];
}

/* ---- values that a loop does not change -------------------------------------------*/

struct hoist {
    const struct sass_facts *facts;
    int first, last; /* of the loop */
    bool stays;
};

static void hoist_read(void *data, int reg, bool is_write)
{
    struct hoist *h = data;
    const struct sass_facts *f = h->facts;
    if (f->defs[reg] != 1) {
        h->stays = true;
        return;
    }
    int def = f->def[reg];
    if (!is_write && def >= h->first && def <= h->last && !f->hoisted[def])
        h->stays = true;
}

static bool is_value(const struct ptx_insn *in)
{
    enum ptx_class class = ptx_ops[in->op].class;
    return in->guard < 0 && (class == CLASS_ALU || in->op == OP_MOV ||
                             in->op == OP_CVTA || in->op == OP_CVT);
}

/* What a loop computes anew from what it does not change is computed before
 * its start. */
static void hoist_values(struct sass_facts *f)
{
    int count = f->function->insn_count;
    for (int k = 0; k < count; k++) {
        struct hoist h = {.facts = f, .first = f->outer[k], .last = k};
        if (h.first < 0 || !is_value(&f->function->insns[k]))
            continue;
        while (h.last + 1 < count && f->outer[h.last + 1] == h.first)
            h.last++;
        ptx_each_register(&f->function->insns[k], hoist_read, &h);
        if (h.stays)
            continue;
        f->hoisted[k] = true;
        f->out[h.first > 0 ? h.first - 1 : 0].cost += f->out[k].cost;
        f->out[k].cost = 0;
    }
}

/* ---- values that are fetched where they are used --------------------------------*/

/* Steps over names of the same value: cvta, and moves of registers. */
static int leaf_of(const struct sass_facts *f, int reg)
{
    for (int steps = 0; steps < 8 && f->defs[reg] == 1; steps++) {
        const struct ptx_insn *in = &f->function->insns[f->def[reg]];
        if (sass_leaf_cost(in))
            return f->def[reg];
        bool is_name = (in->op == OP_CVTA || in->op == OP_MOV) &&
                       in->operand[1].kind == OPERAND_REGISTER;
        if (!is_name)
            return -1;
        reg = in->operand[1].reg;
    }
    return -1;
}

/* Charges a leaf's cost to the straight piece that uses it, once a piece.  A
 * loop gets it from before its start, or from an earlier use, unless the leaf
 * stands in the loop and only some trips use it. */
struct charge {
    struct sass_facts *facts;
    int *last; /* by instruction (the leaf): the piece it was charged to, + 1 */
    int index;
};

static void note_made(struct sass_facts *f, int what, int at)
{
    if (f->made_count < 4 * f->function->insn_count)
        f->made[f->made_count++] = (struct sass_made){what, at};
}

/* May a trip of the loop around an instruction jump over it? */
static bool is_skipped(const struct sass_facts *f, int index)
{
    for (int k = f->outer[index]; k >= 0 && k < index; k++) {
        const struct ptx_insn *in = &f->function->insns[k];
        if (in->op == OP_BRA && in->operand[0].target > index)
            return true;
    }
    return false;
}

static void charge_leaf(struct charge *c, int leaf, int cost)
{
    struct sass_facts *f = c->facts;
    bool is_outside =
        f->outer[leaf] < 0 || f->hoisted[c->index] || !is_skipped(f, c->index);
    int outer = is_outside ? f->outer[c->index] : -1;
    int at = outer < 0 ? c->index : outer > 0 ? outer - 1 : 0;
    int piece = f->block[at] + 1;
    if (c->last[leaf] == piece || (outer >= 0 && c->last[leaf]))
        return;
    c->last[leaf] = piece;
    f->out[at].cost += (uint16_t)cost;
    if (cost == SASS_SHARED_ADDRESS)
        note_made(f, -1, at);
}

static void charge_use(void *data, int reg, bool is_write)
{
    struct charge *c = data;
    const struct ptx_insn *in = &c->facts->function->insns[c->index];
    if (is_write || in->op == OP_CVTA)
        return;
    if (in->op == OP_MOV && in->operand[0].kind == OPERAND_REGISTER &&
        c->facts->defs[in->operand[0].reg] == 1)
        return;
    int leaf = leaf_of(c->facts, reg);
    if (leaf >= 0)
        charge_leaf(c, leaf, sass_leaf_cost(&c->facts->function->insns[leaf]));
}

/* [s + 8] with the name of a shared variable: its address is made there. */
static bool names_shared(const struct ptx_insn *in)
{
    for (int k = 0; k < in->operand_count; k++)
        if (in->operand[k].kind == OPERAND_ADDRESS && in->operand[k].variable &&
            in->operand[k].variable->space == SPACE_SHARED)
            return true;
    return false;
}

static void charge_leaves(struct sass_facts *f)
{
    struct charge c = {.facts = f};
    int named_in = -1;
    c.last = arena_array(f->arena, (size_t)f->function->insn_count + 1,
                         sizeof *c.last);
    for (int k = 0; k < f->function->insn_count; k++) {
        c.index = k;
        ptx_each_register(&f->function->insns[k], charge_use, &c);
        if (!names_shared(&f->function->insns[k]) || named_in == f->block[k])
            continue;
        named_in = f->block[k];
        f->out[k].cost += SASS_SHARED_ADDRESS;
        note_made(f, -1, k);
    }
}

/* What an instruction is, wherever it stands. */
static void describe(struct sass_facts *f, int k)
{
    const struct ptx_insn *in = &f->function->insns[k];
    struct sass_insn *out = &f->out[k];
    const struct ptx_operand *answer = &in->operand[0];
    out->cost = (uint16_t)sass_cost(f, k);
    out->idle = (uint16_t)sass_idle_cost(in);
    out->is_jump = in->op == OP_BRA;
    out->is_end = sass_is_return(in) && f->function->is_entry;
    out->is_red = in->op == OP_RED ||
                  (in->op == OP_ATOM && (answer->kind != OPERAND_REGISTER ||
                                         f->uses[answer->reg] == 0));
}

static bool reaches_global(const struct ptx_insn *in)
{
    return ptx_ops[in->op].class == CLASS_MEMORY &&
           (in->space == SPACE_GLOBAL || in->space == SPACE_GENERIC);
}

struct sass_insn *sass_estimate(struct arena *arena,
                                const struct ptx_function *function)
{
    struct sass_facts f = find_facts(arena, function);
    bool has_global = false;
    for (int k = 0; k < function->insn_count; k++) {
        describe(&f, k);
        has_global |= reaches_global(&function->insns[k]);
    }
    sass_atomics(&f);
    sass_local(&f);
    sass_join(&f);
    sass_share_divisors(&f);
    hoist_values(&f);
    charge_leaves(&f);
    sass_branches(&f);
    /* The stack pointer, and what describes global memory. */
    if (function->is_entry && function->insn_count)
        f.out[0].cost += (uint16_t)(1 + has_global);
    return f.out;
}
