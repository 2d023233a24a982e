/* One instruction as text: opcode, modifiers, types, operands. */
#include "ptx/ops.h"
#include "ptx/print.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void ptx_print_variable_name(struct text *t, const struct ptx_variable *v)
{
    text_puts(t, v->name);
    if (v->nested)
        text_printf(t, "$%d", v->index);
}

static void print_register(struct text *t, const struct ptx_function *f,
                           int reg)
{
    text_puts(t, f->registers[reg].name);
    if (f->registers[reg].nested)
        text_printf(t, "$%d", reg);
}

/* f16 and bf16 have no literals of their own; every one of their values is
 * also an f32. */
static uint32_t single_from_half(uint32_t bits, enum ptx_type type)
{
    float value;
    uint32_t result;

    if (type == PTX_BF16)
        return bits << 16;
    int exponent = (int)(bits >> 10 & 31);
    uint32_t sign = (bits & 0x8000) << 16, fraction = bits & 0x3ff;
    if (exponent == 31)
        return sign | 0x7f800000 | fraction << 13;
    value = exponent ? ldexpf((float)(fraction | 0x400), exponent - 25)
                     : ldexpf((float)fraction, -24);
    memcpy(&result, &value, sizeof result);
    return result | sign;
}

void ptx_print_literal(struct text *t, enum ptx_type type, uint64_t bits)
{
    if (type == PTX_F32)
        text_printf(t, "0f%08" PRIX32, (uint32_t)bits);
    else if (type == PTX_F64)
        text_printf(t, "0d%016" PRIX64, bits);
    else if (type == PTX_F16 || type == PTX_BF16)
        text_printf(t, "0f%08" PRIX32,
                    single_from_half((uint32_t)bits & 0xffff, type));
    else
        text_printf(t, "%" PRId64, (int64_t)bits);
}

static void print_offset(struct text *t, int64_t offset)
{
    if (offset)
        text_printf(t, "+%" PRId64, offset);
}

static void print_address(struct text *t, const struct ptx_function *f,
                          const struct ptx_operand *o)
{
    text_puts(t, "[");
    if (o->reg >= 0)
        print_register(t, f, o->reg);
    else if (o->variable)
        ptx_print_variable_name(t, o->variable);
    if (o->reg >= 0 || o->variable)
        print_offset(t, o->offset);
    else
        text_printf(t, "%" PRId64, o->offset);
    text_puts(t, "]");
}

static void print_special(struct text *t, const struct ptx_operand *o)
{
    text_puts(t, ptx_specials[o->special].name);
    if (o->special == SR_ENVREG)
        text_printf(t, "%" PRIu64, o->bits);
}

static void print_operand(struct text *t, const struct ptx_function *f,
                          const struct ptx_operand *o, enum ptx_type type)
{
    if (o->negated)
        text_puts(t, "!");
    switch (o->kind) {
    case OPERAND_NONE: break;
    case OPERAND_REGISTER: print_register(t, f, o->reg); break;
    case OPERAND_IMMEDIATE: ptx_print_literal(t, type, o->bits); break;
    case OPERAND_SPECIAL: print_special(t, o); break;
    case OPERAND_SYMBOL:
        if (o->variable)
            ptx_print_variable_name(t, o->variable);
        else
            text_puts(t, o->function->name);
        print_offset(t, o->offset);
        break;
    case OPERAND_ADDRESS: print_address(t, f, o); break;
    case OPERAND_VECTOR:
        for (int i = 0; i < o->element_count; i++) {
            text_puts(t, i ? ", " : "{");
            print_operand(t, f, &o->elements[i], type);
        }
        text_puts(t, "}");
        break;
    case OPERAND_LABEL: text_printf(t, "$at%d", o->target); break;
    case OPERAND_SINK: text_puts(t, "_"); break;
    }
}

/* ---- opcode and modifiers --------------------------------------------------- */

static uint32_t field_value(const struct ptx_insn *insn,
                            enum modifier_field field)
{
    switch (field) {
    case FIELD_SPACE: return insn->space;
    case FIELD_ROUNDING: return insn->rounding;
    case FIELD_COMPARE: return insn->compare;
    case FIELD_BOOLEAN: return insn->boolean;
    case FIELD_ATOMIC: return insn->atomic;
    case FIELD_MODE: return insn->mode;
    case FIELD_ORDER: return insn->order;
    case FIELD_SCOPE: return insn->scope;
    case FIELD_FLAG: return insn->flags;
    case FIELD_DROP: return 0;
    }
    return 0;
}

/* The first row of the table that says what is in the instruction; a second
 * row with the same meaning is only another spelling. */
static bool is_printed(const struct ptx_insn *insn, int row,
                       uint32_t *flags_done, bool *fields_done)
{
    const struct modifier *m = &ptx_modifiers[row];
    uint32_t value = field_value(insn, m->field);

    if (value == 0 || !ptx_modifier_fits(m, insn->op))
        return false;
    if (m->field == FIELD_FLAG) {
        bool is_new = (value & m->value) && !(*flags_done & m->value);
        *flags_done |= is_new ? m->value : 0;
        return is_new;
    }
    if (value != m->value || fields_done[m->field])
        return false;
    fields_done[m->field] = true;
    return true;
}

static void print_modifiers(struct text *t, const struct ptx_insn *insn)
{
    uint32_t flags_done = 0;
    bool fields_done[FIELD_DROP + 1] = {false};

    for (int i = 0; i < ptx_modifier_count; i++)
        if (is_printed(insn, i, &flags_done, fields_done))
            text_printf(t, ".%s", ptx_modifiers[i].suffix);
    if (insn->op == OP_BAR && insn->mode == MODE_WARP)
        text_puts(t, ".sync");
    if (insn->op == OP_CP_ASYNC &&
        (insn->mode == MODE_CA || insn->mode == MODE_CG))
        text_puts(t, ".shared.global");
    if (insn->vector > 1)
        text_printf(t, ".v%d", insn->vector);
    if (insn->type != PTX_NONE)
        text_printf(t, ".%s", ptx_type_name(insn->type));
    if (insn->type2 != PTX_NONE)
        text_printf(t, ".%s", ptx_type_name(insn->type2));
}

/* The type that the immediates in an operand have. */
static enum ptx_type literal_type(const struct ptx_insn *insn, char letter,
                                  const struct ptx_operand *o)
{
    if (o->kind == OPERAND_VECTOR && insn->op == OP_MOV)
        return ptx_part_type(insn->type, o->element_count);
    return ptx_operand_type(insn, letter);
}

static void print_operands(struct text *t, const struct ptx_function *f,
                           const struct ptx_insn *insn)
{
    const char *shape = ptx_shape(insn);

    for (int i = 0; i < insn->operand_count; i++, shape++) {
        while (*shape == '?')
            shape++;
        const struct ptx_operand *o = &insn->operand[i];
        text_puts(t, i ? ", " : " ");
        print_operand(t, f, o, literal_type(insn, *shape, o));
        if (i == 0 && insn->second.kind != OPERAND_NONE) {
            text_puts(t, "|");
            print_operand(t, f, &insn->second, PTX_PRED);
        }
    }
}

static void print_list(struct text *t, const struct ptx_function *f,
                       const struct ptx_operand *list, int count,
                       struct ptx_variable **params)
{
    text_puts(t, "(");
    for (int i = 0; i < count; i++) {
        text_puts(t, i ? ", " : "");
        print_operand(t, f, &list[i], params ? params[i]->type : PTX_B64);
    }
    text_puts(t, ")");
}

static void print_call(struct text *t, const struct ptx_function *f,
                       const struct ptx_call *call)
{
    text_puts(t, " ");
    if (call->result_count) {
        print_list(t, f, call->results, call->result_count, NULL);
        text_puts(t, ", ");
    }
    if (call->callee)
        text_puts(t, call->callee->name);
    else
        print_register(t, f, call->pointer.reg);
    if (call->argument_count) {
        text_puts(t, ", ");
        print_list(t, f, call->arguments, call->argument_count,
                   call->callee ? call->callee->params : NULL);
    }
}

void ptx_print_insn(struct text *t, const struct ptx_function *f,
                    const struct ptx_insn *insn)
{
    if (insn->guard >= 0) {
        text_puts(t, insn->guard_negated ? "@!" : "@");
        print_register(t, f, insn->guard);
        text_puts(t, " ");
    }
    text_puts(t, ptx_ops[insn->op].name);
    print_modifiers(t, insn);
    if (insn->call)
        print_call(t, f, insn->call);
    else if (insn->op == OP_BRX) {
        text_puts(t, " ");
        print_operand(t, f, &insn->operand[0], PTX_U32);
        text_printf(t, ", $list%d", (int)(insn - f->insns));
    } else
        print_operands(t, f, insn);
    text_puts(t, ";");
}
