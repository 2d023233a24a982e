/* The shape of one instruction: its opcode's (ops.def), except where a mode
 * or a type changes it; and what follows for types and registers. */
#include "ptx/flow.h"
#include "ptx/ops.h"

const char *ptx_shape(const struct ptx_insn *insn)
{
    bool with_threads = insn->operand_count == 4;

    switch (insn->op) {
    case OP_BAR:
    case OP_BARRIER:
        if (insn->mode == MODE_RED)
            return insn->boolean == BOOL_POPC ? (with_threads ? "dabP" : "daP")
                                              : (with_threads ? "pabP" : "paP");
        return insn->mode == MODE_WARP     ? "a"
               : insn->mode == MODE_ARRIVE ? "ab"
                                           : "a?b";
    case OP_CP_ASYNC:
        if (insn->mode == MODE_WAIT)
            return "a";
        return insn->mode == MODE_CA || insn->mode == MODE_CG ? "mma?b" : "";
    case OP_VOTE:
        if (insn->mode == MODE_BALLOT)
            return insn->flags & FLAG_SYNC ? "dPa" : "dP";
        return insn->flags & FLAG_SYNC ? "pPa" : "pP";
    case OP_SHFL: return insn->flags & FLAG_SYNC ? "dabce" : "dabc";
    case OP_SETP:
    case OP_SET:
        if (insn->boolean)
            return insn->op == OP_SETP ? "pabP" : "dabP";
        return insn->op == OP_SETP ? "pab" : "dab";
    case OP_ATOM: return insn->atomic == ATOMIC_CAS ? "dmab" : "dma";
    case OP_CVT:
        return ptx_type_kind(insn->type) == KIND_PACKED &&
                       insn->type2 == PTX_F32
                   ? "dab"
                   : "da";
    default: return ptx_ops[insn->op].shape;
    }
}

static enum ptx_type wider(enum ptx_type type)
{
    switch (type) {
    case PTX_U16: return PTX_U32;
    case PTX_S16: return PTX_S32;
    case PTX_U32: return PTX_U64;
    case PTX_S32: return PTX_S64;
    default: return type;
    }
}

enum ptx_type ptx_operand_type(const struct ptx_insn *insn, char letter)
{
    enum ptx_type type = insn->type;
    bool is_result = letter == 'd' || letter == 'D';

    if (letter == 'p' || letter == 'P')
        return PTX_PRED;
    switch (insn->op) {
    case OP_SET:
    case OP_CVT: return is_result ? type : insn->type2;
    case OP_MUL:
    case OP_MAD:
        return (insn->flags & FLAG_WIDE) && (is_result || letter == 'c')
                   ? wider(type)
                   : type;
    case OP_SHL:
    case OP_SHR:
    case OP_SZEXT: return letter == 'b' ? PTX_U32 : type;
    case OP_SHF:
    case OP_LOP3:
        return letter == 'c' && insn->op == OP_SHF ? PTX_U32
               : letter == 'e'                     ? PTX_U32
                                                   : type;
    case OP_BFE: return letter == 'b' || letter == 'c' ? PTX_U32 : type;
    case OP_BFI: return letter == 'c' || letter == 'e' ? PTX_U32 : type;
    case OP_POPC:
    case OP_CLZ:
    case OP_BFIND: return is_result ? PTX_U32 : type;
    case OP_FNS: return letter == 'c' ? PTX_S32 : PTX_B32;
    case OP_DP4A:
    case OP_DP2A:
        if (letter == 'a')
            return type;
        return letter == 'b'                               ? insn->type2
               : type == PTX_S32 || insn->type2 == PTX_S32 ? PTX_S32
                                                           : PTX_U32;
    case OP_SLCT: return letter == 'c' ? insn->type2 : type;
    case OP_ISSPACEP: return PTX_U64;
    case OP_SHFL:
    case OP_VOTE:
        return is_result || (letter == 'a' && insn->op == OP_SHFL) ? type
                                                                   : PTX_U32;
    case OP_MATCH:
    case OP_REDUX:
        return letter == 'b' || (is_result && insn->op == OP_MATCH) ? PTX_B32
                                                                    : type;
    case OP_BAR:
    case OP_BARRIER: return is_result ? type : PTX_U32;
    case OP_ELECT:
    case OP_CP_ASYNC:
    case OP_BRX:
    case OP_PMEVENT: return PTX_U32;
    default: return type;
    }
}

enum ptx_type ptx_part_type(enum ptx_type type, int count)
{
    switch (ptx_type_bytes(type) / count) {
    case 1: return PTX_B8;
    case 2: return PTX_B16;
    case 4: return PTX_B32;
    case 8: return PTX_B64;
    default: return PTX_NONE;
    }
}

/* ---- registers ------------------------------------------------------------ */

static void each_in_operand(const struct ptx_operand *o, ptx_register_fn *visit,
                            void *data, bool is_write)
{
    if (o->kind == OPERAND_REGISTER)
        visit(data, o->reg, is_write);
    else if (o->kind == OPERAND_ADDRESS && o->reg >= 0)
        visit(data, o->reg, false); /* [%r] is read even by a store */
    else if (o->kind == OPERAND_VECTOR)
        for (int i = 0; i < o->element_count; i++)
            each_in_operand(&o->elements[i], visit, data, is_write);
}

static void each_in_call(const struct ptx_call *call, ptx_register_fn *visit,
                         void *data)
{
    each_in_operand(&call->pointer, visit, data, false);
    for (int i = 0; i < call->argument_count; i++)
        each_in_operand(&call->arguments[i], visit, data, false);
    for (int i = 0; i < call->result_count; i++)
        each_in_operand(&call->results[i], visit, data, true);
}

static bool is_result(char letter)
{
    return letter == 'd' || letter == 'D' || letter == 'p';
}

void ptx_each_register(const struct ptx_insn *insn, ptx_register_fn *visit,
                       void *data)
{
    const char *shape = ptx_shape(insn);

    if (insn->guard >= 0)
        visit(data, insn->guard, false);
    if (insn->call) {
        each_in_call(insn->call, visit, data);
        return;
    }
    for (int pass = 0; pass < 2; pass++) { /* reads come first */
        bool is_write = pass == 1;
        int i = 0;
        for (const char *s = shape; *s && i < insn->operand_count; s++)
            if (*s != '?' && is_result(*s) == is_write)
                each_in_operand(&insn->operand[i++], visit, data, is_write);
            else if (*s != '?')
                i++;
    }
    each_in_operand(&insn->second, visit, data, true);
}
