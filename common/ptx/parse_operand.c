/* Operands as they are written: what a name stands for is looked up here,
 * whether it fits the instruction is check_operand.c's question. */
#include "ptx/parse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool unknown_name(struct parser *p, const struct token *t)
{
    const char *guess = ptx_special_suggest(t->text, t->length);
    int length = t->length > 80 ? 80 : t->length;

    if (t->text[0] == '%')
        return parse_fail(p, t, "unknown register '%.*s'%s%s%s", length,
                          t->text, guess ? "; did you mean '" : "",
                          guess ? guess : "", guess ? "'?" : "");
    return parse_fail(p, t, "unknown name '%.*s'", length, t->text);
}

/* %laneid, %tid.x, WARP_SZ, %envreg3.  At the token after the name. */
static bool parse_special(struct parser *p, struct ptx_operand *o,
                          const struct token *name)
{
    struct token whole = *name;

    if (p->tok.kind == TOKEN_DOT && name->text[0] == '%' &&
        p->tok.text == name->text + name->length)
        whole.length += p->tok.length;
    o->kind = OPERAND_SPECIAL;
    o->special = ptx_special_find(whole.text, whole.length);
    if (o->special != SR_COUNT)
        return whole.length == name->length || parse_advance(p);
    if (name->length > 7 && name->length < 10 &&
        strncmp(name->text, "%envreg", 7) == 0) {
        char *end;
        o->special = SR_ENVREG;
        o->bits = strtoul(name->text + 7, &end, 10);
        if (end == name->text + name->length && o->bits < 32)
            return true;
    }
    return unknown_name(p, &whole);
}

/* + 8 or - 8 or + -8 behind a name; nothing is 0. */
static bool parse_offset(struct parser *p, int64_t *offset)
{
    struct token sign = p->tok;
    enum token_kind literal;
    uint64_t bits = 0;

    *offset = 0;
    if (!token_is(&sign, '+') && !token_is(&sign, '-'))
        return true;
    if (token_is(&sign, '+') && !parse_advance(p))
        return false;
    if (!parse_number(p, &bits, &literal))
        return false;
    if (literal != TOKEN_INTEGER)
        return parse_fail(p, &sign, "an offset must be a whole number");
    *offset = (int64_t)bits;
    return true;
}

/* A register, special register, variable or function; not inside brackets. */
static bool parse_named(struct parser *p, struct ptx_operand *o)
{
    struct token t;

    if (!parse_name(p, &t, "an operand"))
        return false;
    if (token_equals(&t, "_")) {
        o->kind = OPERAND_SINK;
        return true;
    }
    o->reg = parse_find_register(p, &t);
    if (o->reg >= 0) {
        o->kind = OPERAND_REGISTER;
        if (p->tok.kind == TOKEN_DOT)
            return parse_fail(p, &p->tok,
                              "vector registers are not "
                              "supported");
        return true;
    }
    struct name *name = names_lookup(&p->names, p->scope, t.text, t.length);
    if (!name)
        return parse_special(p, o, &t);
    o->kind = OPERAND_SYMBOL;
    o->variable = name->variable;
    o->function = name->function;
    if (!o->variable && !o->function)
        return parse_fail(p, &t, "'%.*s' cannot be an operand", t.length,
                          t.text);
    return parse_offset(p, &o->offset);
}

static bool parse_simple(struct parser *p, struct ptx_operand *o,
                         enum token_kind *literal)
{
    *o = (struct ptx_operand){.reg = -1};
    *literal = TOKEN_END;
    if (parse_accept(p, '!')) {
        o->negated = true;
        return parse_named(p, o);
    }
    if (parse_at_number(p)) {
        o->kind = OPERAND_IMMEDIATE;
        return parse_number(p, &o->bits, literal);
    }
    return parse_named(p, o);
}

/* [%rd1+8] [name-4] [64] */
static bool parse_address(struct parser *p, struct ptx_operand *o)
{
    struct token t = p->tok;
    enum token_kind literal;

    if (parse_at_number(p)) {
        uint64_t bits = 0;
        if (!parse_number(p, &bits, &literal))
            return false;
        if (literal != TOKEN_INTEGER)
            return parse_fail(p, &t, "an address must be a whole number");
        o->offset = (int64_t)bits;
    } else {
        if (!parse_named(p, o))
            return false;
        if (o->kind == OPERAND_REGISTER && !parse_offset(p, &o->offset))
            return false;
        if (o->kind != OPERAND_REGISTER && !o->variable)
            return parse_fail(p, &t,
                              "an address must begin with a register, "
                              "a variable or a number");
    }
    o->kind = OPERAND_ADDRESS;
    return parse_expect(p, ']');
}

static bool parse_vector(struct parser *p, struct ptx_operand *o,
                         struct written *w)
{
    struct ptx_operand elements[MAX_ELEMENTS];
    int count = 0;

    do {
        struct token t = p->tok;
        if (count == MAX_ELEMENTS)
            return parse_fail(p, &t, "too many elements in this vector");
        if (!parse_simple(p, &elements[count], &w->element_literal[count]))
            return false;
        count++;
    } while (parse_accept(p, ','));
    o->kind = OPERAND_VECTOR;
    o->element_count = count;
    o->elements =
        arena_array(&p->program->arena, (size_t)count, sizeof *o->elements);
    memcpy(o->elements, elements, (size_t)count * sizeof *o->elements);
    return parse_expect(p, '}');
}

bool parse_operand(struct parser *p, struct ptx_operand *o, struct written *w)
{
    *o = (struct ptx_operand){.reg = -1};
    w->at = p->tok;
    if (parse_accept(p, '{'))
        return parse_vector(p, o, w);
    if (parse_accept(p, '['))
        return parse_address(p, o);
    return parse_simple(p, o, &w->literal);
}

/* ---- call (9.7.12.5) ------------------------------------------------------ */

static bool parse_argument(struct parser *p, struct ptx_operand *o,
                           const struct ptx_variable *param)
{
    struct token t = p->tok;
    enum token_kind literal;

    if (!parse_simple(p, o, &literal))
        return false;
    if (o->kind == OPERAND_SYMBOL && o->variable &&
        o->variable->space == SPACE_PARAM && o->offset == 0 && !o->negated)
        return true;
    if (o->kind == OPERAND_REGISTER && !o->negated)
        return true;
    if (o->kind == OPERAND_IMMEDIATE && param)
        return check_immediate(p, o, &t, literal, param->type);
    return parse_fail(p, &t,
                      "an argument must be a .param variable, a "
                      "register or a number");
}

/* (a, b, c); `params` may be NULL when the callee is not known */
static bool parse_arguments(struct parser *p, struct ptx_operand **operands,
                            int *count, struct ptx_variable **params,
                            int param_count)
{
    struct list list = {0};
    bool ok = parse_expect(p, '(');

    while (ok && !token_is(&p->tok, ')')) {
        int i = list.count;
        struct ptx_operand *o = list_push(&list, sizeof *o);
        ok = parse_argument(p, o, params && i < param_count ? params[i] : NULL);
        if (!parse_accept(p, ','))
            break;
    }
    *count = list.count;
    *operands = list_finish(&list, &p->program->arena, sizeof **operands);
    return ok && parse_expect(p, ')');
}

/* The callee: a function's name, or a register with its address. */
static bool parse_callee(struct parser *p, struct ptx_call *call)
{
    struct token t = p->tok;
    struct ptx_operand o = {.reg = -1};

    if (!parse_named(p, &o))
        return false;
    if (o.kind == OPERAND_REGISTER) {
        struct ptx_register *registers = p->registers.data;
        if (ptx_type_bytes(registers[o.reg].type) != 8)
            return parse_fail(p, &t,
                              "the address of a function needs a "
                              "64-bit register");
        call->pointer = o;
        return true;
    }
    if (o.kind != OPERAND_SYMBOL || !o.function || o.offset)
        return parse_fail(p, &t, "'%.*s' is no function", t.length, t.text);
    if (o.function->is_entry)
        return parse_fail(p, &t, "a kernel cannot be called");
    call->callee = o.function;
    return true;
}

/* What is handed over has the size of the parameter (0: any number of them,
 * as for printf). */
static bool check_sizes(struct parser *p, const struct ptx_operand *passed,
                        struct ptx_variable **params, int count,
                        const struct token *at)
{
    const struct ptx_register *registers = p->registers.data;

    for (int i = 0; i < count; i++) {
        uint64_t bytes = params[i]->bytes, have = bytes;
        if (passed[i].kind == OPERAND_SYMBOL)
            have = passed[i].variable->bytes;
        else if (passed[i].kind == OPERAND_REGISTER)
            have = (uint64_t)ptx_type_bytes(registers[passed[i].reg].type);
        if (bytes && have != bytes)
            return parse_fail(p, at,
                              "parameter %d has %" PRIu64 " bytes, but %" PRIu64
                              " are passed",
                              i + 1, bytes, have);
    }
    return true;
}

static bool check_passed(struct parser *p, const struct ptx_call *call,
                         const struct token *at)
{
    const struct ptx_function *f = call->callee;

    if (!f)
        return true;
    if (call->argument_count != f->param_count)
        return parse_fail(p, at, "'%s' takes %d arguments, not %d", f->name,
                          f->param_count, call->argument_count);
    if (call->result_count != f->result_count)
        return parse_fail(p, at, "'%s' gives %d results, not %d", f->name,
                          f->result_count, call->result_count);
    return check_sizes(p, call->arguments, f->params, f->param_count, at) &&
           check_sizes(p, call->results, f->results, f->result_count, at);
}

/* call (result), f, (arguments);   call f;   call (r), %rd1, (a), prototype; */
bool parse_call(struct parser *p, struct written_insn *w)
{
    struct ptx_call *call = arena_alloc(&p->program->arena, sizeof *call);

    w->insn.call = call;
    call->pointer.reg = -1;
    if (token_is(&p->tok, '(') &&
        (!parse_arguments(p, &call->results, &call->result_count, NULL, 0) ||
         !parse_expect(p, ',')))
        return false;
    if (!parse_callee(p, call))
        return false;
    const struct ptx_function *f = call->callee;
    if (parse_accept(p, ',') &&
        !parse_arguments(p, &call->arguments, &call->argument_count,
                         f ? f->params : NULL, f ? f->param_count : 0))
        return false;
    if (!check_passed(p, call, &w->at))
        return false;
    if (f || !parse_accept(p, ','))
        return !p->failed;
    struct token t;
    if (!parse_name(p, &t, "a .callprototype label"))
        return false;
    struct name *name = names_lookup(&p->names, p->scope, t.text, t.length);
    if (name && name->kind == NAME_VARIABLE)
        return true; /* a table of functions */
    return (name && name->kind == NAME_PROTOTYPE) ||
           parse_fail(p, &t, "unknown prototype '%.*s'", t.length, t.text);
}
