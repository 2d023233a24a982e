/* What instructions that reach memory mean for others. */
#include "watch/race.h"

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

struct guesses {
    const struct ptx_function *function;
    struct base place; /* of the compare-and-swap */
    bool *seen;        /* registers */
    bool *is_guess;    /* instructions */
};

/* Marks the loads from that place whose value may be in the register. */
static void trace_guess(struct guesses *g, int reg)
{
    const struct ptx_function *f = g->function;
    if (g->seen[reg])
        return;
    g->seen[reg] = true;
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        const struct ptx_operand *o = insn->operand;
        if (o[0].kind != OPERAND_REGISTER || o[0].reg != reg)
            continue;
        if (insn->op == OP_MOV && o[1].kind == OPERAND_REGISTER)
            trace_guess(g, o[1].reg);
        if (insn->op != OP_LD || o[1].kind != OPERAND_ADDRESS)
            continue;
        struct base b = base_of(f, &o[1]);
        g->is_guess[i] |= b.variable == g->place.variable &&
                          b.reg == g->place.reg && b.offset == g->place.offset;
    }
}

/* `old = *p; do old = atomicCAS(p, seen = old, ...)`, as the CUDA guide writes
 * it: the first look is a plain load, and nothing comes of a value that is out
 * of date, because the swap compares it. */
static void find_guesses(const struct ptx_function *f, bool *is_guess)
{
    struct guesses g = {.function = f, .is_guess = is_guess};
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        if (insn->op != OP_ATOM || insn->atomic != ATOMIC_CAS ||
            insn->operand[2].kind != OPERAND_REGISTER)
            continue;
        g.place = base_of(f, &insn->operand[1]);
        g.seen = checked_alloc((size_t)f->register_count + 1);
        trace_guess(&g, insn->operand[2].reg);
        free(g.seen);
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
