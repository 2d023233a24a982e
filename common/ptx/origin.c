/* Addresses and the variables they start from.  See origin.h.
 *
 * Each register is UNSET, NUMBER (or a pointer we know nothing of), one
 * variable, or MIXED; going round all instructions, a register only ever moves
 * on in this order, so it ends soon. */
#include "ptx/origin.h"

#include "ptx/flow.h"

static const struct ptx_variable number_mark, mixed_mark;
#define UNSET NULL
#define NUMBER (&number_mark)
#define MIXED (&mixed_mark)

typedef const struct ptx_variable *origin;

struct origins {
    origin *of; /* of each register */
    bool changed;
};

static bool is_variable(origin o)
{
    return o != UNSET && o != NUMBER && o != MIXED;
}

/* One place that can hold either. */
static origin either(origin a, origin b)
{
    if (a == UNSET || a == b)
        return b;
    return b == UNSET ? a : MIXED;
}

/* The sum of both. */
static origin sum(origin a, origin b)
{
    if (a == MIXED || b == MIXED || (is_variable(a) && is_variable(b)))
        return MIXED;
    if (is_variable(a))
        return a;
    return is_variable(b) ? b : NUMBER;
}

static origin operand_origin(const struct origins *s,
                             const struct ptx_operand *o)
{
    switch (o->kind) {
    case OPERAND_REGISTER: return s->of[o->reg];
    case OPERAND_SYMBOL: return o->variable ? o->variable : NUMBER;
    case OPERAND_ADDRESS:
        if (o->variable)
            return o->reg < 0 ? o->variable : MIXED;
        return o->reg < 0 ? NUMBER : s->of[o->reg];
    default: return NUMBER;
    }
}

/* What comes of sources that are no addresses, or MIXED. */
static origin only_numbers(const struct origins *s, const struct ptx_insn *insn)
{
    for (int k = 1; k < insn->operand_count; k++) {
        const struct ptx_operand *o = &insn->operand[k];
        origin from = operand_origin(s, o);
        if (o->kind == OPERAND_VECTOR || is_variable(from) || from == MIXED)
            return MIXED;
    }
    return NUMBER;
}

static origin result(const struct origins *s, const struct ptx_insn *insn)
{
    const struct ptx_operand *o = insn->operand;
    switch (insn->op) {
    case OP_MOV:
    case OP_CVT:
    case OP_CVTA:
        return o[1].kind == OPERAND_VECTOR ? MIXED : operand_origin(s, &o[1]);
    case OP_ADD:
    case OP_OR: /* as a sum, where the bits are known to be 0 */
        return sum(operand_origin(s, &o[1]), operand_origin(s, &o[2]));
    case OP_SUB:
        if (is_variable(operand_origin(s, &o[2])))
            return MIXED;
        return sum(operand_origin(s, &o[1]), operand_origin(s, &o[2]));
    case OP_MAD: {
        origin a = operand_origin(s, &o[1]), b = operand_origin(s, &o[2]);
        if (is_variable(a) || is_variable(b))
            return MIXED;
        return sum(sum(a, b), operand_origin(s, &o[3]));
    }
    case OP_SELP:
    case OP_SLCT:
        return either(operand_origin(s, &o[1]), operand_origin(s, &o[2]));
    case OP_LD:
    case OP_LDU:
    case OP_ATOM: return NUMBER;
    default: return only_numbers(s, insn);
    }
}

struct writing {
    struct origins *origins;
    origin value;
};

static void write_register(void *data, int reg, bool is_write)
{
    struct writing *w = data;
    origin *of = &w->origins->of[reg];
    origin next = is_write ? either(*of, w->value) : *of;
    if (next == *of)
        return;
    *of = next;
    w->origins->changed = true;
}

/* Sources that are not known yet are waited for: a later round has them. */
static bool is_ready(const struct origins *s, const struct ptx_insn *insn)
{
    for (int k = 1; k < insn->operand_count; k++)
        if (insn->operand[k].kind == OPERAND_REGISTER &&
            s->of[insn->operand[k].reg] == UNSET)
            return false;
    return true;
}

static void find_registers(const struct ptx_function *f, struct origins *s)
{
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k]->in_register)
            s->of[f->params[k]->reg] = NUMBER;
    do {
        s->changed = false;
        for (int i = 0; i < f->insn_count; i++) {
            struct writing w = {s, NUMBER};
            if (!is_ready(s, &f->insns[i]))
                continue;
            w.value = f->insns[i].call ? NUMBER : result(s, &f->insns[i]);
            ptx_each_register(&f->insns[i], write_register, &w);
        }
    } while (s->changed);
}

const struct ptx_variable **ptx_origins(struct arena *arena,
                                        const struct ptx_function *f)
{
    struct arena scratch = {0};
    struct origins s = {0};
    const struct ptx_variable **found =
        arena_array(arena, (size_t)f->insn_count + 1, sizeof *found);

    s.of = arena_array(&scratch, (size_t)f->register_count + 1, sizeof *s.of);
    find_registers(f, &s);
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        for (int k = 0; k < insn->operand_count; k++) {
            if (insn->operand[k].kind != OPERAND_ADDRESS)
                continue;
            origin from = operand_origin(&s, &insn->operand[k]);
            found[i] = is_variable(from) ? from : NULL;
            break;
        }
    }
    arena_free(&scratch);
    return found;
}
