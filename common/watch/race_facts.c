/* What instructions that reach memory mean for others. */
#include "watch/race.h"

#include "ptx/flow.h"

#include <stdlib.h>

/* Ids fit in 16 bits (race_cells.c).  A program with more such instructions
 * would blame the wrong line for those at its end. */
enum { MOST_FACTS = 1 << 16 };

static bool reads_register(const struct ptx_insn *insn, int reg)
{
    for (int k = 0; k < insn->operand_count; k++) {
        const struct ptx_operand *o = &insn->operand[k];
        bool written = k == 0 && *ptx_ops[insn->op].shape != 'm';
        if (!written && o->kind == OPERAND_REGISTER && o->reg == reg)
            return true;
    }
    return false;
}

/* The value in `reg` goes into comparisons only, perhaps by way of a move, a
 * conversion or a mask. */
static bool only_compared(const struct ptx_function *f, int reg, int depth)
{
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        if (!reads_register(insn, reg) || insn->op == OP_SETP ||
            insn->op == OP_BAR)
            continue;
        bool passes =
            insn->op == OP_MOV || insn->op == OP_CVT || insn->op == OP_AND;
        if (!passes || !depth || insn->operand[0].kind != OPERAND_REGISTER ||
            ptx_type_kind(insn->type) == KIND_FLOAT ||
            !only_compared(f, insn->operand[0].reg, depth - 1))
            return false;
    }
    return true;
}

static bool is_poll(const struct ptx_function *f, const struct ptx_insn *insn)
{
    return insn->operand[0].kind == OPERAND_REGISTER &&
           ptx_type_kind(insn->type) != KIND_FLOAT &&
           only_compared(f, insn->operand[0].reg, 2);
}

static bool is_flag(const struct ptx_function *f, const struct ptx_insn *insn)
{
    if (insn->op == OP_ATOM || insn->op == OP_RED)
        return true;
    if (insn->order != ORDER_VOLATILE)
        return insn->order != ORDER_WEAK;
    if (insn->op == OP_LD)
        return is_poll(f, insn);
    return ptx_type_kind(insn->type) != KIND_FLOAT &&
           ptx_type_kind(insn->type) != KIND_PACKED;
}

/* ---- first guesses for a compare-and-swap ------------------------------------*/

/* What an address is made from: a variable or a register, behind copies. */
struct base {
    const struct ptx_variable *variable;
    int reg;
    int64_t offset;
};

/* The one instruction that writes the register, or NULL. */
static const struct ptx_insn *only_writer(const struct ptx_function *f, int reg)
{
    const struct ptx_insn *found = NULL;
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_operand *to = &f->insns[i].operand[0];
        if (to->kind != OPERAND_REGISTER || to->reg != reg ||
            *ptx_ops[f->insns[i].op].shape == 'm')
            continue;
        if (found)
            return NULL;
        found = &f->insns[i];
    }
    return found;
}

static struct base base_of(const struct ptx_function *f,
                           const struct ptx_operand *address)
{
    struct base b = {address->variable, address->reg, address->offset};
    for (int depth = 0; !b.variable && b.reg >= 0 && depth < 4; depth++) {
        const struct ptx_insn *from = only_writer(f, b.reg);
        if (!from || (from->op != OP_MOV && from->op != OP_CVTA))
            break;
        const struct ptx_operand *o = &from->operand[1];
        if (o->kind == OPERAND_REGISTER) {
            b.reg = o->reg;
        } else if (o->kind == OPERAND_SYMBOL && o->variable) {
            b.variable = o->variable;
            b.reg = -1;
        } else {
            break;
        }
    }
    return b;
}

/* A program with more to look at gets no more guesses. */
enum { MOST_TRACED = 64, MOST_LOOKS = 1 << 26 };

struct guesses {
    const struct ptx_function *function;
    struct base place; /* of the compare-and-swap, */
    int bytes;         /* and its size */
    int traced[MOST_TRACED];
    int traced_count;
    bool *is_guess; /* instructions */
    int looks;
};

static void add_traced(void *data, int reg, bool is_write)
{
    struct guesses *g = data;
    if (is_write || g->traced_count == MOST_TRACED)
        return;
    for (int k = 0; k < g->traced_count; k++)
        if (g->traced[k] == reg)
            return;
    g->traced[g->traced_count++] = reg;
}

struct writing {
    int reg;
    bool found;
};

static void find_write(void *data, int reg, bool is_write)
{
    struct writing *w = data;
    w->found |= is_write && reg == w->reg;
}

/* Puts bits in other places, and computes nothing. */
static bool moves_bits(const struct ptx_insn *insn)
{
    switch (insn->op) {
    case OP_MOV:
    case OP_SHL:
    case OP_SHR:
    case OP_OR:
    case OP_BFI:
    case OP_PRMT: return true;
    case OP_CVT:
        return ptx_type_kind(insn->type) != KIND_FLOAT &&
               ptx_type_kind(insn->type2) != KIND_FLOAT;
    default: return false;
    }
}

static bool is_in_place(const struct guesses *g, const struct ptx_insn *load)
{
    if (load->op != OP_LD || load->operand[1].kind != OPERAND_ADDRESS)
        return false;
    struct base b = base_of(g->function, &load->operand[1]);
    return b.variable == g->place.variable && b.reg == g->place.reg &&
           b.offset >= g->place.offset && b.offset < g->place.offset + g->bytes;
}

/* Marks the loads from that place whose value may be in the register. */
static void trace_guess(struct guesses *g, int reg)
{
    const struct ptx_function *f = g->function;
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        struct writing w = {reg, false};
        if (insn->op != OP_LD && !moves_bits(insn))
            continue;
        ptx_each_register(insn, find_write, &w);
        if (!w.found)
            continue;
        if (insn->op != OP_LD)
            ptx_each_register(insn, add_traced, g);
        else if (is_in_place(g, insn))
            g->is_guess[i] = true;
    }
    g->looks += f->insn_count;
}

/* `old = *p; do old = atomicCAS(p, seen = old, ...)`, as the CUDA guide writes
 * it: the first look is a plain load, and nothing comes of a value that is out
 * of date, because the swap compares it. */
static void find_guesses(const struct ptx_function *f, bool *is_guess)
{
    struct guesses g = {.function = f, .is_guess = is_guess};
    for (int i = 0; i < f->insn_count && g.looks < MOST_LOOKS; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        if (insn->op != OP_ATOM || insn->atomic != ATOMIC_CAS ||
            insn->operand[2].kind != OPERAND_REGISTER)
            continue;
        g.place = base_of(f, &insn->operand[1]);
        g.bytes = ptx_type_bytes(insn->type);
        g.traced_count = 0;
        add_traced(&g, insn->operand[2].reg, false);
        for (int k = 0; k < g.traced_count; k++)
            trace_guess(&g, g.traced[k]);
    }
}

static struct race_fact fact_of(const struct ptx_function *f,
                                const struct ptx_insn *insn, bool is_guess)
{
    bool is_atomic = insn->op == OP_ATOM || insn->op == OP_RED;
    enum ptx_order order = insn->order;
    bool is_strong = order != ORDER_WEAK || is_guess;
    return (struct race_fact){
        .function = f,
        .insn = insn,
        .traits = (uint8_t)((is_strong ? TRAIT_STRONG : 0) |
                            (is_flag(f, insn) ? TRAIT_FLAG : 0) |
                            (is_atomic && insn->scope == SCOPE_CTA ? TRAIT_BLOCK
                                                                   : 0)),
        .is_store = insn->op == OP_ST,
        .has_value = insn->op == OP_ST &&
                     insn->vector * ptx_type_bytes(insn->type) <= 16,
        .releases = order >= ORDER_RELEASE,
        .is_nc = insn->op == OP_LD && (insn->flags & FLAG_NONCOHERENT),
        .acquires = order == ORDER_ACQUIRE || order >= ORDER_ACQ_REL,
        .passes_l1 = is_atomic || order != ORDER_WEAK ||
                     (insn->flags & FLAG_CACHE_GLOBAL)};
}

static bool reaches_memory(const struct ptx_insn *insn)
{
    switch (insn->op) {
    case OP_LD:
    case OP_ST:
    case OP_ATOM:
    case OP_RED:
    case OP_CP_ASYNC: return true;
    default: return false;
    }
}

void race_find_facts(struct race *r)
{
    const struct launch_info *info = r->info;
    uint32_t count = 0;
    size_t all = 1;
    for (int f = 0; f < info->function_count; f++)
        all += (size_t)info->functions[f]->insn_count;
    r->facts =
        checked_alloc((all < MOST_FACTS ? all : MOST_FACTS) * sizeof *r->facts);
    r->numbers =
        checked_alloc((size_t)info->function_count * sizeof *r->numbers);
    for (int f = 0; f < info->function_count; f++) {
        const struct ptx_function *function = info->functions[f];
        r->numbers[f] = checked_alloc(((size_t)function->insn_count + 1) *
                                      sizeof **r->numbers);
        bool *is_guess = checked_alloc((size_t)function->insn_count + 1);
        find_guesses(function, is_guess);
        for (int i = 0; i < function->insn_count; i++) {
            if (!reaches_memory(&function->insns[i]))
                continue;
            uint32_t id = count < MOST_FACTS ? count++ : MOST_FACTS - 1;
            r->numbers[f][i] = id;
            r->facts[id] = fact_of(function, &function->insns[i], is_guess[i]);
            r->has_block_atomics |= r->facts[id].traits & TRAIT_BLOCK;
        }
        free(is_guess);
    }
}

void race_free_facts(struct race *r)
{
    for (int f = 0; f < r->info->function_count; f++)
        free(r->numbers[f]);
    free(r->numbers);
    free(r->facts);
}

uint32_t race_insn_id(const struct race *r, const struct ptx_function *function,
                      const struct ptx_insn *insn)
{
    int f = 0;
    while (r->info->functions[f] != function)
        f++;
    return r->numbers[f][insn - function->insns];
}

enum role race_role(const struct race_fact *fact, enum event_kind kind,
                    bool is_fenced)
{
    bool is_flag = fact->traits & TRAIT_FLAG;
    if (kind == EVENT_ATOMIC)
        return ROLE_ATOMIC;
    if (kind == EVENT_LOAD)
        return is_flag && (fact->traits & TRAIT_STRONG) ? ROLE_FLAG_READ
                                                        : ROLE_READ;
    return is_flag && (fact->traits & TRAIT_STRONG) &&
                   (is_fenced || fact->releases)
               ? ROLE_ATOMIC
               : ROLE_WRITE;
}
