/* How many machine instructions a PTX instruction becomes.  See sass.h. */
#include "watch/sass.h"

static bool is_wide(enum ptx_type t)
{
    return ptx_type_bytes(t) == 8 && ptx_type_kind(t) != KIND_FLOAT;
}

static bool is_float(enum ptx_type t)
{
    return ptx_type_kind(t) == KIND_FLOAT || ptx_type_kind(t) == KIND_PACKED;
}

/* The instruction that alone reads what the instruction at k writes. */
static const struct ptx_insn *only_reader(const struct sass_facts *f, int k)
{
    const struct ptx_operand *d = &f->function->insns[k].operand[0];
    if (d->kind != OPERAND_REGISTER || f->uses[d->reg] != 1 ||
        f->defs[d->reg] != 1)
        return NULL;
    return &f->function->insns[f->use[d->reg]];
}

static bool is_written_once(const struct sass_facts *f,
                            const struct ptx_insn *in)
{
    return in->operand[0].kind == OPERAND_REGISTER &&
           f->defs[in->operand[0].reg] == 1;
}

static bool is_constant(const struct ptx_operand *o)
{
    return o->kind == OPERAND_IMMEDIATE;
}

static bool is_logic_op(const struct ptx_insn *in)
{
    return in->op == OP_AND || in->op == OP_OR || in->op == OP_XOR;
}

static bool is_logic(const struct ptx_insn *in)
{
    return in && is_logic_op(in) && !is_wide(in->type);
}

/* Does nobody look at the upper half of what the instruction at k makes? */
static bool is_low_only(const struct sass_facts *f, int k)
{
    for (int steps = 0; steps < 8; steps++) {
        const struct ptx_insn *reader = only_reader(f, k);
        if (!reader)
            return false;
        if (reader->op == OP_CVT && ptx_type_bytes(reader->type) <= 4 &&
            !is_float(reader->type) && !is_float(reader->type2))
            return true;
        bool keeps = reader->op == OP_ADD || reader->op == OP_SUB ||
                     is_logic_op(reader) ||
                     (reader->op == OP_MUL && (reader->flags & FLAG_LO));
        if (!keeps)
            return false;
        k = (int)(reader - f->function->insns);
    }
    return false;
}

/* ---- moves ----------------------------------------------------------------------*/

int sass_leaf_cost(const struct ptx_insn *in)
{
    if (in->op == OP_LD && in->space == SPACE_PARAM && in->vector <= 1)
        return 1;
    if (in->op != OP_MOV || in->guard >= 0)
        return 0;
    const struct ptx_operand *a = &in->operand[1];
    if (a->kind == OPERAND_SYMBOL && a->variable)
        return a->variable->space == SPACE_SHARED ? 3 : 1;
    return 0;
}

/* What the register held last before instruction `in`: the instruction that
 * wrote it, as the text goes. */
static const struct ptx_insn *last_writer(const struct sass_facts *f,
                                          const struct ptx_insn *in, int reg)
{
    while (in-- > f->function->insns)
        if (in->operand_count && in->operand[0].kind == OPERAND_REGISTER &&
            in->operand[0].reg == reg)
            return in;
    return NULL;
}

static bool is_zero(const struct sass_facts *f, const struct ptx_insn *in)
{
    if (in->op != OP_MOV || in->guard >= 0 ||
        in->operand[0].kind != OPERAND_REGISTER || is_written_once(f, in))
        return false;
    const struct ptx_operand *a = &in->operand[1];
    for (int steps = 0; steps < 8 && a->kind == OPERAND_REGISTER; steps++) {
        in = last_writer(f, in, a->reg);
        if (!in || in->op != OP_MOV)
            return false;
        a = &in->operand[1];
    }
    return is_constant(a) && a->bits == 0;
}

/* Zeros go two by two; is this one the second of two? */
static bool is_second_zero(const struct sass_facts *f,
                           const struct ptx_insn *in)
{
    int before = 0;
    if (!is_zero(f, in))
        return false;
    for (const struct ptx_insn *o = in; o > f->function->insns;) {
        o--;
        if (f->block[o - f->function->insns] !=
                f->block[in - f->function->insns] ||
            !is_zero(f, o))
            break;
        before++;
    }
    return before % 2 == 1;
}

static int move_cost(const struct sass_facts *f, const struct ptx_insn *in)
{
    int words = ptx_type_bytes(in->type) == 8 ? 2 : 1;
    if (sass_leaf_cost(in))
        return 0;
    if (in->operand[1].kind == OPERAND_SPECIAL)
        return 1;
    if (in->operand[0].kind == OPERAND_VECTOR ||
        in->operand[1].kind == OPERAND_VECTOR)
        return 0;
    if (is_written_once(f, in))
        return 0;
    return words == 1 && is_second_zero(f, in) ? 0 : words;
}

/* Does a reader of the register need its upper half, a zero, in a register of
 * its own?  A multiplication that it is added to does, and memory. */
static bool needs_zero(const struct sass_facts *f, int reg);

static int convert_cost(const struct sass_facts *f, int k)
{
    const struct ptx_insn *in = &f->function->insns[k];
    int to = ptx_type_bytes(in->type), from = ptx_type_bytes(in->type2);
    if (is_float(in->type) || is_float(in->type2))
        return 1;
    if (to == from || (to < from && to >= 4))
        return is_written_once(f, in) ? 0 : to / 4;
    if (to == 8) { /* the upper half: a zero or the sign */
        const struct ptx_insn *reader = only_reader(f, k);
        if (is_written_once(f, in) && ptx_type_kind(in->type2) != KIND_SIGNED &&
            !needs_zero(f, in->operand[0].reg))
            return 0;
        return reader && (reader->op == OP_MUL || reader->op == OP_MAD ||
                          reader->op == OP_OR)
                   ? 0
                   : 1;
    }
    return 1;
}

/* ---- whole numbers -----------------------------------------------------------------*/

/* Has the addition a source of that kind, made just for it? */
static bool takes_in(const struct sass_facts *f, const struct ptx_insn *in,
                     enum ptx_op op)
{
    for (int k = 1; k <= 2; k++) {
        const struct ptx_insn *from = sass_source(f, &in->operand[k]);
        if (!from || from->op != op || f->uses[in->operand[k].reg] != 1)
            continue;
        bool is_whole =
            op != OP_MUL || !is_wide(from->type) || (from->flags & FLAG_WIDE);
        const struct ptx_insn *insns = f->function->insns;
        if (is_whole && f->depth[from - insns] == f->depth[in - insns])
            return true;
    }
    return false;
}

static bool reads(const struct ptx_insn *in, int reg)
{
    for (int k = 1; k < in->operand_count; k++)
        if ((in->operand[k].kind == OPERAND_REGISTER ||
             in->operand[k].kind == OPERAND_ADDRESS) &&
            in->operand[k].reg == reg)
            return true;
    return false;
}

static bool needs_zero(const struct sass_facts *f, int reg)
{
    int seen = 0;
    for (int k = f->def[reg] + 1; k < f->function->insn_count; k++) {
        const struct ptx_insn *in = &f->function->insns[k];
        if (!reads(in, reg))
            continue;
        seen++;
        bool adds = in->op == OP_ADD || in->op == OP_SUB;
        bool is_free = in->op == OP_SETP || in->op == OP_AND ||
                       in->op == OP_OR || in->op == OP_SHL ||
                       in->op == OP_SHR || in->op == OP_CVT ||
                       (adds && !takes_in(f, in, OP_MUL));
        if (!is_free)
            return true;
    }
    return seen != f->uses[reg];
}

static int add_cost(const struct sass_facts *f, int k)
{
    const struct ptx_insn *in = &f->function->insns[k];
    if (is_float(in->type))
        return 1;
    const struct ptx_insn *reader = only_reader(f, k);
    if (is_wide(in->type))
        return takes_in(f, in, OP_MUL) || is_low_only(f, k) ? 1 : 2;
    bool is_middle = reader && reader->op == OP_ADD &&
                     reader->type == in->type && !takes_in(f, reader, OP_SHL) &&
                     !takes_in(f, in, OP_SHL) && !takes_in(f, in, OP_MUL);
    return is_middle ? 0 : 1;
}

static bool joins_add(const struct sass_facts *f, int k)
{
    const struct ptx_insn *reader = only_reader(f, k);
    const struct ptx_insn *in = &f->function->insns[k];
    bool adds = reader && (reader->op == OP_ADD ||
                           (reader->op == OP_SUB && in->op == OP_MUL));
    return adds && !is_float(reader->type) &&
           f->depth[k] >= f->depth[f->use[in->operand[0].reg]];
}

static int multiply_cost(const struct sass_facts *f, int k)
{
    const struct ptx_insn *in = &f->function->insns[k];
    if (is_float(in->type))
        return 1;
    bool by_constant = is_constant(&in->operand[2]);
    if (in->flags & FLAG_WIDE)
        return joins_add(f, k) ? 0 : 1;
    if (in->flags & FLAG_HI)
        return is_wide(in->type) ? 7 : 1;
    if (is_wide(in->type) && !is_low_only(f, k))
        return by_constant ? 3 : 4;
    return joins_add(f, k) ? 0 : 1;
}

/* By a constant it is a multiplication; else an estimate of 1 / b and its
 * correction; 64 bits call a function. */
static int divide_cost(const struct ptx_insn *in, bool rest)
{
    bool by_constant = is_constant(&in->operand[2]);
    bool is_signed = ptx_type_kind(in->type) == KIND_SIGNED;
    if (is_wide(in->type))
        return by_constant ? 16 : 70;
    if (by_constant)
        return 2 + rest + is_signed;
    return 17 + (rest ? 0 : 1) + (is_signed ? 8 : 0);
}

int sass_idle_cost(const struct ptx_insn *in)
{
    bool divides = in->op == OP_DIV || in->op == OP_REM;
    return divides && !is_float(in->type) && !is_wide(in->type) &&
                   !is_constant(&in->operand[2])
               ? 3
               : 0;
}

/* "shl r, x, 2; cvt.u64.u32 rd, r; add.s64": with a zero above. */
static bool joins_wider_add(const struct sass_facts *f, int k)
{
    const struct ptx_insn *reader = only_reader(f, k);
    if (!reader || reader->op != OP_CVT || ptx_type_bytes(reader->type) != 8)
        return false;
    int wider = (int)(reader - f->function->insns);
    reader = only_reader(f, wider);
    return reader && reader->op == OP_ADD && f->depth[k] == f->depth[wider];
}

static int shift_cost(const struct sass_facts *f, int k)
{
    const struct ptx_insn *in = &f->function->insns[k];
    bool by_constant = is_constant(&in->operand[2]);
    if (in->op == OP_SHL && by_constant &&
        (joins_add(f, k) || joins_wider_add(f, k)))
        return 0;
    if (is_wide(in->type)) /* from 32 on one half is only moved */
        return !by_constant ? 5 : in->operand[2].bits >= 32 ? 1 : 2;
    return 1;
}

/* Was it a whole number of 32 bits without a sign?  Then its upper half is
 * zero. */
static bool is_widened(const struct sass_facts *f, const struct ptx_operand *o)
{
    const struct ptx_insn *from = sass_source(f, o);
    return from && from->op == OP_CVT && is_wide(from->type) &&
           ptx_type_kind(from->type2) == KIND_UNSIGNED &&
           ptx_type_bytes(from->type2) <= 4;
}

/* Each half of 64 bits by itself: a constant half may leave it as it is (and
 * with ones), or make it a constant (and with zeros). */
static int wide_logic_cost(const struct sass_facts *f,
                           const struct ptx_insn *in)
{
    int cost = 2;
    if (is_widened(f, &in->operand[1]) || is_widened(f, &in->operand[2]))
        return 1;
    if (!is_constant(&in->operand[2]))
        return cost;
    for (int half = 0; half < 2; half++) {
        uint32_t bits = (uint32_t)(in->operand[2].bits >> 32 * half);
        cost -= bits == 0 || (bits == 0xffffffff && in->op != OP_XOR);
    }
    return cost;
}

static int logic_cost(const struct sass_facts *f, int k)
{
    const struct ptx_insn *in = &f->function->insns[k];
    const struct ptx_insn *reader = only_reader(f, k);
    if (in->type == PTX_PRED) { /* setp takes in another predicate */
        const struct ptx_insn *a = sass_source(f, &in->operand[1]);
        return a && a->op == OP_SETP ? 0 : 1;
    }
    if (in->op == OP_NOT)
        return is_logic(reader) ? 0 : ptx_type_bytes(in->type) / 4;
    if (is_wide(in->type))
        return wide_logic_cost(f, in);
    return is_logic(reader) ? 0 : 1;
}

/* ---- comparisons ---------------------------------------------------------------------*/

/* "and r, a, b; setp.ne p, r, 0": the logic gives the predicate as well. */
static bool is_free_compare(const struct sass_facts *f, int k)
{
    const struct ptx_insn *in = &f->function->insns[k];
    const struct ptx_insn *from = sass_source(f, &in->operand[1]);
    return from && is_logic(from) && in->boolean == BOOL_NONE &&
           (in->compare == CMP_EQ || in->compare == CMP_NE) &&
           is_constant(&in->operand[2]) && in->operand[2].bits == 0 &&
           f->block[k] == f->block[from - f->function->insns];
}

static int compare_cost(const struct sass_facts *f, int k)
{
    const struct ptx_insn *in = &f->function->insns[k];
    if (is_free_compare(f, k))
        return 0;
    return is_wide(in->type) ? 2 : 1;
}

/* ---- floats ------------------------------------------------------------------------------*/

static int float_divide_cost(const struct ptx_insn *in)
{
    if (ptx_type_bytes(in->type) == 8)
        return 26;
    return in->flags & (FLAG_APPROX | FLAG_FULL) ? 5 : 11;
}

static int root_cost(const struct ptx_insn *in)
{
    if (ptx_type_bytes(in->type) == 8)
        return 20;
    if (in->flags & FLAG_FTZ)
        return 1;
    return in->flags & FLAG_APPROX ? 4 : 9;
}

static int unary_cost(const struct sass_facts *f, int k)
{
    const struct ptx_insn *in = &f->function->insns[k];
    const struct ptx_insn *reader = only_reader(f, k);
    if (is_float(in->type)) /* a sign that the reader takes in */
        return reader && ptx_ops[reader->op].class == CLASS_ALU ? 0 : 1;
    return is_wide(in->type) ? 2 : 1;
}

/* "bfi d, high, low, 32, 32": two registers side by side. */
static bool is_pairing(const struct ptx_insn *in)
{
    return is_constant(&in->operand[3]) && is_constant(&in->operand[4]) &&
           in->operand[3].bits == 32 && in->operand[4].bits == 32;
}

static int bits_cost(const struct ptx_insn *in)
{
    bool wide = ptx_type_bytes(in->type) == 8;
    switch (in->op) {
    case OP_CLZ: return wide ? 4 : 2;
    case OP_POPC: return wide ? 3 : 1;
    case OP_BFIND: return wide ? 4 : 1;
    case OP_BREV: return wide ? 2 : 1;
    case OP_BFE: return wide ? 4 : 2;
    case OP_BFI: return !wide ? 3 : is_pairing(in) ? 0 : 5;
    case OP_FNS: return 30;
    default: return 1;
    }
}

static int sync_cost(const struct ptx_insn *in)
{
    switch (in->op) {
    case OP_MEMBAR:
    case OP_FENCE: return in->scope == SCOPE_CTA ? 1 : 4;
    case OP_REDUX: return 2;
    case OP_ELECT: return 2;
    default: return 1;
    }
}

static int memory_cost(const struct ptx_insn *in)
{
    int bytes = ptx_type_bytes(in->type) * (in->vector ? in->vector : 1);
    if (in->space == SPACE_PARAM)
        return in->op == OP_LD && in->vector <= 1 ? 0 : 1;
    if (in->op == OP_ATOM && in->space == SPACE_SHARED && is_float(in->type))
        return 1;
    return bytes > 16 ? bytes / 16 : 1;
}

static int flow_cost(const struct ptx_insn *in)
{
    switch (in->op) {
    case OP_BRA: return 0; /* sass_insn.is_jump */
    case OP_BRX: return 4;
    case OP_CALL: return 4;
    default: return 1;
    }
}

static int alu_cost(const struct sass_facts *f, int k)
{
    const struct ptx_insn *in = &f->function->insns[k];
    switch (in->op) {
    case OP_ADD: return add_cost(f, k);
    case OP_SUB: return is_wide(in->type) && !is_low_only(f, k) ? 2 : 1;
    case OP_MUL: return multiply_cost(f, k);
    case OP_MAD: return is_wide(in->type) ? 4 : 1;
    case OP_DIV:
        return is_float(in->type) ? float_divide_cost(in)
                                  : divide_cost(in, false);
    case OP_REM: return divide_cost(in, true);
    case OP_ABS:
    case OP_NEG: return unary_cost(f, k);
    case OP_MIN:
    case OP_MAX: return is_wide(in->type) ? 4 : 1;
    case OP_RCP:
    case OP_SQRT:
    case OP_RSQRT: return root_cost(in);
    case OP_SIN:
    case OP_COS: return 2;
    case OP_LG2:
    case OP_EX2: return in->flags & FLAG_FTZ ? 1 : 3;
    case OP_SETP: return compare_cost(f, k);
    case OP_SELP: return is_wide(in->type) || in->type == PTX_F64 ? 2 : 1;
    case OP_SET:
    case OP_SLCT: return 2;
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_NOT: return logic_cost(f, k);
    case OP_SHL:
    case OP_SHR: return shift_cost(f, k);
    case OP_CVT: return convert_cost(f, k);
    default: return bits_cost(in);
    }
}

int sass_cost(const struct sass_facts *f, int index)
{
    const struct ptx_insn *in = &f->function->insns[index];
    switch (ptx_ops[in->op].class) {
    case CLASS_MOVE:
        if (in->op == OP_CVTA)
            return 0;
        return in->op == OP_MOV ? move_cost(f, in) : 1;
    case CLASS_MEMORY: return memory_cost(in);
    case CLASS_FLOW: return flow_cost(in);
    case CLASS_SYNC: return sync_cost(in);
    default: return alu_cost(f, index);
    }
}

/* ---- divisions by the same number -------------------------------------------------------*/

/* Of a division of 32 bits: the estimate of 1 / b. */
enum { RECIPROCAL = 9 };

/* Is the register written in the loop around instruction k? */
static bool changes_in_loop(const struct sass_facts *f, int reg, int k)
{
    int first = f->outer[k], last = k;
    while (last + 1 < f->function->insn_count && f->outer[last + 1] == first)
        last++;
    return f->defs[reg] != 1 || (f->def[reg] >= first && f->def[reg] <= last);
}

static bool has_reciprocal(const struct ptx_insn *in)
{
    return (in->op == OP_DIV || in->op == OP_REM) && !is_float(in->type) &&
           !is_wide(in->type) && in->operand[2].kind == OPERAND_REGISTER;
}

void sass_share_divisors(struct sass_facts *f)
{
    /* by register: where its reciprocal was made, + 1 */
    int *made = arena_array(f->arena, (size_t)f->function->register_count + 1,
                            sizeof *made);
    for (int k = 0; k < f->function->insn_count; k++) {
        const struct ptx_insn *in = &f->function->insns[k];
        if (!has_reciprocal(in) || f->defs[in->operand[2].reg] != 1)
            continue;
        int reg = in->operand[2].reg, before = made[reg] - 1;
        int at = k;
        if (f->outer[k] >= 0 && !changes_in_loop(f, reg, k))
            at = f->outer[k] > 0 ? f->outer[k] - 1 : 0;
        bool is_there = before >= 0 && (f->block[before] == f->block[at] ||
                                        f->depth[before] == 0);
        f->out[k].cost -= RECIPROCAL;
        if (is_there)
            continue;
        f->out[at].cost += RECIPROCAL;
        made[reg] = at + 1;
    }
}
