/* Are the modifiers of an instruction complete, and do they go together?
 * One rule an opcode, from the sections of PTX ISA 9.7. */
#include "ptx/parse.h"

static bool need(struct parser *p, const struct written_insn *w, bool has,
                 const char *what)
{
    return has || parse_fail(p, &w->at, "'%s' needs %s",
                             ptx_ops[w->insn.op].name, what);
}

static bool is_float(enum ptx_type type)
{
    return ptx_type_kind(type) == KIND_FLOAT ||
           ptx_type_kind(type) == KIND_PACKED;
}

/* mul mad mul24 mad24: which half of the product */
static bool check_product(struct parser *p, const struct written_insn *w)
{
    const struct ptx_insn *insn = &w->insn;
    bool is_part = insn->flags & (FLAG_LO | FLAG_HI | FLAG_WIDE);
    int bytes = ptx_type_bytes(insn->type);

    if (is_float(insn->type))
        return need(p, w, !is_part, "no .lo, .hi or .wide for floats");
    if ((insn->flags & FLAG_WIDE) && bytes != 2 && bytes != 4)
        return need(p, w, false, "a 16- or 32-bit type for .wide");
    return need(p, w, is_part, "one of .lo, .hi and .wide");
}

/* div rcp sqrt: exact with a rounding, or approximate */
static bool check_division(struct parser *p, const struct written_insn *w)
{
    const struct ptx_insn *insn = &w->insn;
    bool approximate = insn->flags & (FLAG_APPROX | FLAG_FULL);

    if (!is_float(insn->type))
        return need(p, w, !insn->rounding && !approximate,
                    "no rounding for whole numbers");
    return need(p, w, insn->rounding || approximate,
                insn->op == OP_DIV ? "one of .approx, .full and .rn .rz .rm .rp"
                                   : "one of .approx and .rn .rz .rm .rp");
}

static bool check_convert(struct parser *p, const struct written_insn *w)
{
    const struct ptx_insn *insn = &w->insn;
    bool to_float = is_float(insn->type), from_float = is_float(insn->type2);
    bool integral = insn->rounding >= ROUND_RNI;

    if (!need(p, w, insn->type2 != PTX_NONE, "two types"))
        return false;
    if (!to_float && from_float)
        return need(p, w, integral,
                    "one of .rni .rzi .rmi .rpi to get a "
                    "whole number");
    if (to_float && !from_float)
        return need(p, w, insn->rounding && !integral,
                    "one of .rn .rz .rm .rp to get a float");
    if (to_float && ptx_type_bytes(insn->type) < ptx_type_bytes(insn->type2))
        return need(p, w, insn->rounding,
                    "one of .rn .rz .rm .rp to get a "
                    "shorter float");
    if (!to_float)
        return need(p, w, !insn->rounding,
                    "no rounding between whole "
                    "numbers");
    return true;
}

static bool check_barrier(struct parser *p, const struct written_insn *w)
{
    const struct ptx_insn *insn = &w->insn;

    if (!need(p, w, insn->mode, "one of .sync, .arrive and .red"))
        return false;
    if (insn->mode != MODE_RED)
        return need(p, w, !insn->type && !insn->boolean,
                    ".red to compute something");
    if (insn->boolean == BOOL_POPC)
        return need(p, w, insn->type == PTX_U32, ".popc.u32");
    return need(p, w, insn->boolean && insn->type == PTX_PRED,
                "one of .popc.u32, .and.pred and .or.pred");
}

static bool check_vote(struct parser *p, const struct written_insn *w)
{
    const struct ptx_insn *insn = &w->insn;

    if (!need(p, w, insn->mode, "one of .all, .any, .uni and .ballot"))
        return false;
    if (insn->mode == MODE_BALLOT)
        return need(p, w, insn->type == PTX_B32, ".b32 for .ballot");
    return need(p, w, insn->type == PTX_PRED, ".pred");
}

static bool check_memory(struct parser *p, const struct written_insn *w)
{
    const struct ptx_insn *insn = &w->insn;
    int bytes = insn->vector * ptx_type_bytes(insn->type);

    if (insn->op == OP_ST && insn->space == SPACE_CONST)
        return need(p, w, false, "memory that can be written");
    return need(p, w, bytes <= 32, "a shorter vector: 32 bytes at most");
}

static bool check_set(struct parser *p, const struct written_insn *w)
{
    const struct ptx_insn *insn = &w->insn;

    if (!need(p, w, insn->compare, "a comparison such as .lt"))
        return false;
    return insn->op != OP_SET ||
           need(p, w, insn->type2 != PTX_NONE, "two types");
}

static bool check_shift(struct parser *p, const struct written_insn *w)
{
    const struct ptx_insn *insn = &w->insn;

    return need(p, w, insn->mode, "one of .l and .r") &&
           need(p, w, insn->flags & (FLAG_WRAP | FLAG_CLAMP),
                "one of .wrap and .clamp");
}

static bool check_by_op(struct parser *p, const struct written_insn *w)
{
    const struct ptx_insn *insn = &w->insn;

    switch (insn->op) {
    case OP_MUL:
    case OP_MAD:
    case OP_MADC:
    case OP_MUL24:
    case OP_MAD24: return check_product(p, w);
    case OP_DIV:
    case OP_RCP:
    case OP_SQRT: return check_division(p, w);
    case OP_RSQRT:
    case OP_SIN:
    case OP_COS:
    case OP_LG2:
    case OP_EX2:
    case OP_TANH: return need(p, w, insn->flags & FLAG_APPROX, ".approx");
    case OP_FMA: return need(p, w, insn->rounding, "one of .rn .rz .rm .rp");
    case OP_SETP:
    case OP_SET: return check_set(p, w);
    case OP_SHF: return check_shift(p, w);
    case OP_SLCT:
        return need(p, w, insn->type2 == PTX_S32 || insn->type2 == PTX_F32,
                    "a second type, .s32 or .f32");
    case OP_DP4A:
    case OP_DP2A:
        return need(p, w, insn->type2 != PTX_NONE, "two types") &&
               need(p, w,
                    insn->op == OP_DP4A || (insn->flags & (FLAG_LO | FLAG_HI)),
                    ".lo or .hi");
    case OP_CVT: return check_convert(p, w);
    case OP_CVTA:
    case OP_ISSPACEP:
    case OP_MAPA:
        return need(p, w, insn->space || insn->op == OP_MAPA,
                    "a state space such as .shared");
    case OP_TESTP: return need(p, w, insn->mode, "a property such as .finite");
    case OP_LD:
    case OP_LDU:
    case OP_ST: return check_memory(p, w);
    case OP_ATOM:
    case OP_RED:
    case OP_REDUX: return need(p, w, insn->atomic, "an operation such as .add");
    case OP_BAR:
    case OP_BARRIER: return check_barrier(p, w);
    case OP_SHFL:
        return need(p, w, insn->mode, "one of .up, .down, .bfly and .idx");
    case OP_VOTE: return check_vote(p, w);
    case OP_MATCH: return need(p, w, insn->mode, "one of .all and .any");
    case OP_MEMBAR: return need(p, w, insn->scope, "one of .cta, .gl and .sys");
    case OP_CP_ASYNC:
        return need(p, w, insn->mode,
                    "one of .ca, .cg, .commit_group, "
                    ".wait_group and .wait_all");
    default: return true;
    }
}

/* Opcodes that always, sometimes, never have a second type. */
static bool may_have_two_types(enum ptx_op op)
{
    return op == OP_CVT || op == OP_SET || op == OP_SLCT || op == OP_DP4A ||
           op == OP_DP2A;
}

bool check_form(struct parser *p, struct written_insn *w)
{
    const struct ptx_insn *insn = &w->insn;
    bool has_types = ptx_ops[insn->op].types[0] != '\0';

    if (insn->type == PTX_NONE && has_types && insn->op != OP_BAR &&
        insn->op != OP_BARRIER)
        return need(p, w, false, "a type such as .u32 or .f32");
    if (insn->type2 != PTX_NONE && !may_have_two_types(insn->op))
        return need(p, w, false, "one type only");
    return check_by_op(p, w);
}
