/* Do the operands fit?  The opcode's shape (ops.def) says what may stand in
 * each place, the instruction's types say how wide it must be (PTX ISA 9.4).
 * Immediates get their final bits here. */
#include "ptx/parse.h"

#include <math.h>
#include <string.h>

/* ---- immediates ---------------------------------------------------------- */

static uint16_t half_from_double(double value, int exponent_bits)
{
    int mantissa_bits = 15 - exponent_bits;
    int bias = (1 << (exponent_bits - 1)) - 1;
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    uint16_t infinity = (uint16_t)(((1 << exponent_bits) - 1) << mantissa_bits);
    int exponent;

    if (isnan(value))
        return 0x7fff;
    double fraction = frexp(fabs(value), &exponent); /* 0.5 <= fraction < 1 */
    if (fraction == 0 || isinf(value))
        return (uint16_t)(sign | (fraction == 0 ? 0 : infinity));
    /* Below the smallest exponent the steps no longer shrink. */
    int step = exponent - 1 - mantissa_bits;
    if (step < 1 - bias - mantissa_bits)
        step = 1 - bias - mantissa_bits;
    double scaled = nearbyint(ldexp(fabs(value), -step));
    uint64_t bits = (uint64_t)fmin(scaled, 1e6);
    int64_t field = (int64_t)(step + mantissa_bits + bias - 1);
    bits += (uint64_t)field << mantissa_bits; /* a carry lands right */
    return (uint16_t)(sign | (bits < infinity ? bits : infinity));
}

/* A float literal as the bits of `type`. */
static bool float_bits(uint64_t *bits, enum token_kind literal,
                       enum ptx_type type)
{
    double value;
    float single;
    uint32_t low = (uint32_t)*bits;

    if (literal == TOKEN_FLOAT32) {
        memcpy(&single, &low, sizeof single);
        value = (double)single;
    } else {
        memcpy(&value, bits, sizeof value);
    }
    switch (type) {
    case PTX_F32:
        if (literal == TOKEN_FLOAT32) /* keep a NaN's bits */
            return true;
        single = (float)value;
        memcpy(&low, &single, sizeof low);
        *bits = low;
        return true;
    case PTX_F64: memcpy(bits, &value, sizeof value); return true;
    case PTX_F16: *bits = half_from_double(value, 5); return true;
    case PTX_BF16: *bits = half_from_double(value, 8); return true;
    case PTX_B32: return literal == TOKEN_FLOAT32;
    case PTX_B64: return literal == TOKEN_FLOAT64;
    default: return false;
    }
}

bool check_immediate(struct parser *p, struct ptx_operand *o,
                     const struct token *at, enum token_kind literal,
                     enum ptx_type type)
{
    enum ptx_type_kind kind = ptx_type_kind(type);
    int bits = ptx_type_bytes(type) * 8;

    if (literal != TOKEN_INTEGER)
        return float_bits(&o->bits, literal, type) ||
               parse_fail(p, at, "a float cannot stand here: the type is .%s",
                          ptx_type_name(type));
    if (kind == KIND_FLOAT)
        return parse_fail(p, at,
                          "a float must stand here, such as 1.0 or "
                          "0f3F800000: the type is .%s",
                          ptx_type_name(type));
    if (kind == KIND_PREDICATE)
        o->bits = o->bits != 0;
    else if (bits > 0 && bits < 64)
        o->bits = (uint64_t)((int64_t)(o->bits << (64 - bits)) >> (64 - bits));
    return true;
}

/* ---- types of operands ---------------------------------------------------- */

/* ld st cvt: a wider register is fine, the value sits in its low bits. */
static bool may_be_wider(enum ptx_op op)
{
    return op == OP_LD || op == OP_LDU || op == OP_ST || op == OP_CVT;
}

static bool is_integer(enum ptx_type_kind kind)
{
    return kind == KIND_UNSIGNED || kind == KIND_SIGNED;
}

/* PTX ISA 9.4, tables of operand sizes: bits go with everything of their
 * size, signed with unsigned, a float only with itself. */
static bool fits(enum ptx_type reg, enum ptx_type wanted, bool wider_ok)
{
    enum ptx_type_kind have = ptx_type_kind(reg), want = ptx_type_kind(wanted);
    int have_bytes = ptx_type_bytes(reg), want_bytes = ptx_type_bytes(wanted);

    if (have == KIND_PREDICATE || want == KIND_PREDICATE)
        return have == want;
    if (have_bytes < want_bytes || (have_bytes > want_bytes && !wider_ok))
        return false;
    if (reg == wanted || have == KIND_BITS)
        return true;
    if (want == KIND_BITS)
        return have_bytes == want_bytes || is_integer(have);
    return is_integer(have) && is_integer(want);
}

static bool check_register(struct parser *p, const struct written_insn *w,
                           int reg, enum ptx_type wanted,
                           const struct token *at)
{
    const struct ptx_register *r =
        (struct ptx_register *)p->registers.data + reg;

    if (fits(r->type, wanted, may_be_wider(w->insn.op)))
        return true;
    return parse_fail(p, at, "'%s' was declared .%s, but '%s' needs .%s here",
                      r->name, ptx_type_name(r->type), ptx_ops[w->insn.op].name,
                      ptx_type_name(wanted));
}

static bool check_special(struct parser *p, const struct ptx_operand *o,
                          enum ptx_type wanted, const struct token *at)
{
    const struct special_info *s = &ptx_specials[o->special];

    if (fits(s->type, wanted, false) ||
        (o->special == SR_WARP_SZ && is_integer(ptx_type_kind(wanted))))
        return true;
    return parse_fail(p, at, "'%s' is .%s, but .%s is needed here", s->name,
                      ptx_type_name(s->type), ptx_type_name(wanted));
}

static bool wrong(struct parser *p, const struct token *at, const char *what)
{
    return parse_fail(p, at, "%s must stand here", what);
}

/* ---- operands by their letter --------------------------------------------- */

static bool may_sink(enum ptx_op op)
{
    return op == OP_ATOM || op == OP_SETP || op == OP_ELECT || op == OP_SHFL;
}

static bool check_result(struct parser *p, const struct written_insn *w,
                         const struct ptx_operand *o, const struct token *at,
                         enum ptx_type type)
{
    if (o->kind == OPERAND_SINK && may_sink(w->insn.op))
        return true;
    if (o->kind != OPERAND_REGISTER || o->negated)
        return wrong(p, at, "a register for the result");
    return check_register(p, w, o->reg, type, at);
}

static bool check_source(struct parser *p, const struct written_insn *w,
                         struct ptx_operand *o, const struct token *at,
                         enum token_kind literal, enum ptx_type type)
{
    if (o->negated && type != PTX_PRED)
        return parse_fail(p, at, "only a predicate can have a ! in front");
    switch (o->kind) {
    case OPERAND_REGISTER: return check_register(p, w, o->reg, type, at);
    case OPERAND_IMMEDIATE: return check_immediate(p, o, at, literal, type);
    case OPERAND_SPECIAL: return check_special(p, o, type, at);
    default:
        return wrong(
            p, at, type == PTX_PRED ? "a predicate" : "a register or a number");
    }
}

/* {a, b, c}: `type` is that of one element. */
static bool check_vector(struct parser *p, const struct written_insn *w,
                         struct ptx_operand *o, const struct written *at,
                         enum ptx_type type, bool is_result)
{
    for (int i = 0; i < o->element_count; i++) {
        struct ptx_operand *element = &o->elements[i];
        bool ok;
        if (is_result)
            ok = element->kind == OPERAND_SINK ||
                 check_result(p, w, element, &at->at, type);
        else
            ok = check_source(p, w, element, &at->at, at->element_literal[i],
                              type);
        if (!ok)
            return false;
    }
    return true;
}

/* ld, st: a vector exactly where .v2 .v4 .v8 stands. */
static bool check_data(struct parser *p, const struct written_insn *w,
                       struct ptx_operand *o, const struct written *at,
                       bool is_result)
{
    enum ptx_type type = w->insn.type;

    if (w->insn.vector > 1) {
        if (o->kind != OPERAND_VECTOR || o->element_count != w->insn.vector)
            return parse_fail(p, &at->at,
                              "a vector of %d elements must stand "
                              "here",
                              w->insn.vector);
        return check_vector(p, w, o, at, type, is_result);
    }
    if (o->kind == OPERAND_VECTOR && o->element_count == 1)
        return check_vector(p, w, o, at, type, is_result);
    return is_result ? check_result(p, w, o, &at->at, type)
                     : check_source(p, w, o, &at->at, at->literal, type);
}

/* mov.b64 {a, b}, c: the elements share the bits of the type. */
static bool check_packed(struct parser *p, const struct written_insn *w,
                         struct ptx_operand *o, const struct written *at,
                         bool is_result)
{
    int count = o->element_count;

    if (ptx_type_kind(w->insn.type) != KIND_BITS || (count != 2 && count != 4))
        return parse_fail(p, &at->at,
                          "only .b types are packed and unpacked, "
                          "in 2 or 4 parts");
    enum ptx_type type = ptx_part_type(w->insn.type, count);
    if (type == PTX_NONE)
        return parse_fail(p, &at->at, "too many parts for .%s",
                          ptx_type_name(w->insn.type));
    return check_vector(p, w, o, at, type, is_result);
}

/* The source of mov and cvta: also the address of something. */
static bool check_moved(struct parser *p, const struct written_insn *w,
                        struct ptx_operand *o, const struct written *at)
{
    enum ptx_type type = w->insn.type;
    enum ptx_type_kind kind = ptx_type_kind(type);

    if (o->kind == OPERAND_VECTOR && w->insn.op == OP_MOV) {
        if (w->insn.operand[0].kind == OPERAND_VECTOR)
            return parse_fail(p, &at->at, "only one side can be a vector");
        return check_packed(p, w, o, at, false);
    }
    if (o->kind != OPERAND_SYMBOL)
        return check_source(p, w, o, &at->at, at->literal, type);
    bool is_wide = ptx_type_bytes(type) == 8 ||
                   (ptx_type_bytes(type) == 4 && o->variable &&
                    o->variable->space == SPACE_SHARED);
    if (!is_wide || kind == KIND_FLOAT || o->negated)
        return parse_fail(p, &at->at, "an address needs a 64-bit type");
    if (w->insn.op == OP_CVTA && o->variable &&
        o->variable->space != w->insn.space)
        return parse_fail(p, &at->at, "'%s' does not lie in that space",
                          o->variable->name);
    return true;
}

/* Parameters are no memory that a student indexes: what lies outside of one
 * was written wrongly. */
static bool check_in_parameter(struct parser *p, const struct written_insn *w,
                               const struct ptx_operand *o,
                               const struct token *at)
{
    const struct ptx_variable *v = o->variable;
    uint64_t size =
        (uint64_t)w->insn.vector * (uint64_t)ptx_type_bytes(w->insn.type);

    if (v->bytes == 0 || (o->offset >= 0 && size <= v->bytes &&
                          (uint64_t)o->offset <= v->bytes - size))
        return true;
    return parse_fail(p, at, "this lies outside of '%s'", v->name);
}

static bool check_address(struct parser *p, const struct written_insn *w,
                          const struct ptx_operand *o, const struct token *at)
{
    const struct ptx_register *registers = p->registers.data;
    enum ptx_space space = w->insn.space;

    if (o->kind != OPERAND_ADDRESS)
        return wrong(p, at, "an address in brackets");
    if (o->reg >= 0) {
        enum ptx_type type = registers[o->reg].type;
        enum ptx_type_kind kind = ptx_type_kind(type);
        bool is_wide = ptx_type_bytes(type) == 8 ||
                       (ptx_type_bytes(type) == 4 && space != SPACE_GLOBAL);
        if (!is_wide || (kind != KIND_BITS && !is_integer(kind)))
            return parse_fail(p, at,
                              "'%s' was declared .%s, but an address "
                              "needs a 64-bit register",
                              registers[o->reg].name, ptx_type_name(type));
    }
    if (!o->variable || w->insn.op == OP_CP_ASYNC)
        return true;
    if (space == SPACE_PARAM && !check_in_parameter(p, w, o, at))
        return false;
    if (space == SPACE_GENERIC && o->variable->space != SPACE_GLOBAL &&
        w->insn.op != OP_PREFETCH && w->insn.op != OP_PREFETCHU)
        return parse_fail(p, at, "'%s' is no global variable: name its space",
                          o->variable->name);
    if (space != SPACE_GENERIC && o->variable->space != space)
        return parse_fail(p, at, "'%s' does not lie in that space",
                          o->variable->name);
    return true;
}

/* cp.async's last operand: bytes to read, or a predicate for none at all. */
static bool is_ignore_source(const struct parser *p,
                             const struct ptx_insn *insn,
                             const struct ptx_operand *o, char letter)
{
    const struct ptx_register *registers = p->registers.data;

    return insn->op == OP_CP_ASYNC && letter == 'b' &&
           o->kind == OPERAND_REGISTER && registers[o->reg].type == PTX_PRED;
}

static bool check_letter(struct parser *p, struct written_insn *w, char letter,
                         int i)
{
    struct ptx_operand *o = &w->insn.operand[i];
    struct written *at = &w->operand[i];
    enum ptx_op op = w->insn.op;
    bool is_data = op == OP_LD || op == OP_LDU || op == OP_ST;

    switch (letter) {
    case 'D':
        if (is_data)
            return check_data(p, w, o, at, true);
        if (o->kind == OPERAND_VECTOR)
            return check_packed(p, w, o, at, true);
        return check_result(p, w, o, &at->at,
                            ptx_operand_type(&w->insn, letter));
    case 'd':
    case 'p':
        return check_result(p, w, o, &at->at,
                            ptx_operand_type(&w->insn, letter));
    case 'A': return check_data(p, w, o, at, false);
    case 's': return check_moved(p, w, o, at);
    case 'm': return check_address(p, w, o, &at->at);
    case 'l': return true;
    default:
        return check_source(p, w, o, &at->at, at->literal,
                            is_ignore_source(p, &w->insn, o, letter)
                                ? PTX_PRED
                                : ptx_operand_type(&w->insn, letter));
    }
}

/* ---- shapes ---------------------------------------------------------------- */

/* setp p|q, shfl d|p, match.all d|p, elect d|p: the second is a predicate. */
static bool check_second(struct parser *p, struct written_insn *w)
{
    enum ptx_op op = w->insn.op;
    struct ptx_operand *o = &w->insn.second;

    if (o->kind == OPERAND_NONE)
        return true;
    if (op != OP_SETP && op != OP_SHFL && op != OP_ELECT &&
        !(op == OP_MATCH && w->insn.mode == MODE_ALL))
        return parse_fail(p, &w->second.at, "'%s' has one result only",
                          ptx_ops[op].name);
    if (o->kind == OPERAND_SINK)
        return true;
    return check_result(p, w, o, &w->second.at, PTX_PRED);
}

/* .L2::cache_hint has its policy as the last operand: it changes nothing. */
static bool drop_hint(struct parser *p, struct written_insn *w)
{
    if (!(w->insn.flags & FLAG_CACHE_HINT))
        return true;
    if (w->insn.operand_count == 0)
        return parse_fail(p, &w->at, "the cache policy is missing");
    w->insn.operand[--w->insn.operand_count] = (struct ptx_operand){0};
    return true;
}

bool check_operands(struct parser *p, struct written_insn *w)
{
    if (w->insn.op == OP_CALL || w->insn.op == OP_BRA)
        return true;
    if (!drop_hint(p, w))
        return false;
    const char *shape = ptx_shape(&w->insn);
    bool optional = false;
    int i = 0;
    for (; *shape; shape++) {
        if (*shape == '?') {
            optional = true;
            continue;
        }
        if (i == w->insn.operand_count) {
            if (optional)
                break;
            return parse_fail(p, &w->at, "'%s' needs more operands",
                              ptx_ops[w->insn.op].name);
        }
        if (!check_letter(p, w, *shape, i++))
            return false;
    }
    if (i < w->insn.operand_count)
        return parse_fail(p, &w->operand[i].at, "one operand too many for '%s'",
                          ptx_ops[w->insn.op].name);
    return check_second(p, w);
}
