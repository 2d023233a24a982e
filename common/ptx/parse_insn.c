/* One instruction: @guard opcode.modifiers operands;
 * The opcode and its modifiers come from ops.def and modifiers.def. */
#include "ptx/parse.h"

#include <string.h>

/* @%p or @!%p */
static bool parse_guard(struct parser *p, struct ptx_insn *insn)
{
    struct token name;

    insn->guard = -1;
    if (!parse_accept(p, '@'))
        return !p->failed;
    insn->guard_negated = parse_accept(p, '!');
    if (!parse_name(p, &name, "a predicate register"))
        return false;
    insn->guard = parse_find_register(p, &name);
    struct ptx_register *registers = p->registers.data;
    if (insn->guard < 0)
        return parse_fail(p, &name, "unknown register '%.*s'", name.length,
                          name.text);
    if (registers[insn->guard].type != PTX_PRED)
        return parse_fail(p, &name,
                          "'%.*s' is no predicate: it was declared "
                          ".%s",
                          name.length, name.text,
                          ptx_type_name(registers[insn->guard].type));
    return true;
}

/* Some opcodes have a dot in them: cp.async, brx.idx. */
static enum ptx_op find_dotted(const struct token *name,
                               const struct token *dot)
{
    char text[32];
    int length = name->length + dot->length;

    if (dot->kind != TOKEN_DOT || length > (int)sizeof text)
        return OP_COUNT;
    memcpy(text, name->text, (size_t)name->length);
    memcpy(text + name->length, dot->text, (size_t)dot->length);
    return ptx_op_find(text, length);
}

/* A file may have kernels that nobody starts: what the simulator does not have
 * is told of those only that are.  Up to the semicolon. */
static void note_missing(struct parser *p, const struct token *name)
{
    struct lexer lexer = p->lexer;
    struct token next = p->tok;

    parse_fail(p, name, "the simulator does not have '%.*s'", name->length,
               name->text);
    p->function->missing =
        arena_printf(&p->program->arena, "%s", p->error->text);
    p->failed = false;
    p->error->text[0] = '\0';
    p->lexer = lexer;
    p->tok = next;
}

static bool leave_out(struct parser *p, const struct token *name,
                      struct written_insn *w)
{
    if (!p->function->missing)
        note_missing(p, name);
    w->insn.op = OP_TRAP;
    w->insn.vector = 1;
    w->is_left_out = true;
    while (!token_is(&p->tok, ';') && p->tok.kind != TOKEN_END)
        if (!parse_advance(p))
            return false;
    return true;
}

static bool parse_opcode(struct parser *p, struct written_insn *w)
{
    struct token name;

    w->at = p->tok;
    if (!parse_name(p, &name, "an instruction"))
        return false;
    w->insn.op = find_dotted(&name, &p->tok);
    if (w->insn.op != OP_COUNT)
        return parse_advance(p);
    w->insn.op = ptx_op_find(name.text, name.length);
    if (w->insn.op != OP_COUNT)
        return true;
    if (p->function && ptx_op_is_missing(name.text, name.length))
        return leave_out(p, &name, w);
    const char *guess = ptx_op_suggest(name.text, name.length);
    return parse_fail(p, &name, "unknown instruction '%.*s'%s%s%s",
                      name.length > 80 ? 80 : name.length, name.text,
                      guess ? "; did you mean '" : "", guess ? guess : "",
                      guess ? "'?" : "");
}

/* Puts a value into a field that must still be empty. */
#define SET_ONCE(field)         \
    do {                        \
        if (insn->field)        \
            return false;       \
        insn->field = m->value; \
        return true;            \
    } while (0)

static bool apply(struct ptx_insn *insn, const struct modifier *m)
{
    switch (m->field) {
    case FIELD_SPACE: SET_ONCE(space);
    case FIELD_ROUNDING: SET_ONCE(rounding);
    case FIELD_COMPARE: SET_ONCE(compare);
    case FIELD_BOOLEAN: SET_ONCE(boolean);
    case FIELD_ATOMIC: SET_ONCE(atomic);
    case FIELD_ORDER: SET_ONCE(order);
    case FIELD_SCOPE: SET_ONCE(scope);
    case FIELD_MODE:
        /* bar.warp.sync: .warp says it all */
        if (insn->mode == MODE_WARP && m->value == MODE_SYNC)
            return true;
        SET_ONCE(mode);
    case FIELD_FLAG:
        if (insn->flags & m->value)
            return false;
        insn->flags |= m->value;
        return true;
    case FIELD_DROP: return true;
    }
    return false;
}

/* .v2 .v4 .v8 of ld and st */
static bool apply_vector(struct ptx_insn *insn, const struct token *t)
{
    if (insn->op != OP_LD && insn->op != OP_ST && insn->op != OP_LDU)
        return false;
    if (t->length != 3 || t->text[1] != 'v' || insn->vector)
        return false;
    int count = t->text[2] - '0';
    if (count != 2 && count != 4 && count != 8)
        return false;
    insn->vector = count;
    return true;
}

static bool apply_type(struct parser *p, struct ptx_insn *insn,
                       const struct token *t, enum ptx_type type)
{
    if (!ptx_op_takes(insn->op, type))
        return parse_fail(p, t, "'%s' does not work on type '%.*s'",
                          ptx_ops[insn->op].name, t->length, t->text);
    if (insn->type == PTX_NONE)
        insn->type = type;
    else if (insn->type2 == PTX_NONE)
        insn->type2 = type;
    else
        return parse_fail(p, t, "'%s' with three types is not supported",
                          ptx_ops[insn->op].name);
    return true;
}

static bool unknown_modifier(struct parser *p, enum ptx_op op,
                             const struct token *t)
{
    const char *guess = ptx_modifier_suggest(op, t->text + 1, t->length - 1);
    return parse_fail(p, t, "'%s' does not take '%.*s'%s%s%s", ptx_ops[op].name,
                      t->length > 80 ? 80 : t->length, t->text,
                      guess ? "; did you mean '." : "", guess ? guess : "",
                      guess ? "'?" : "");
}

static bool parse_modifiers(struct parser *p, struct ptx_insn *insn)
{
    while (p->tok.kind == TOKEN_DOT) {
        struct token t = p->tok;
        enum ptx_type type = ptx_type_find(t.text + 1, t.length - 1);
        const struct modifier *m =
            ptx_modifier_find(insn->op, t.text + 1, t.length - 1);
        if (type != PTX_TYPE_COUNT) {
            if (!apply_type(p, insn, &t, type))
                return false;
        } else if (m) {
            if (!apply(insn, m))
                return parse_fail(p, &t,
                                  "'%.*s' does not go with what stands "
                                  "before it",
                                  t.length, t.text);
        } else if (!apply_vector(insn, &t)) {
            return unknown_modifier(p, insn->op, &t);
        }
        if (!parse_advance(p))
            return false;
    }
    if (insn->vector == 0)
        insn->vector = 1;
    return true;
}

/* a, b, c up to the semicolon; the first may be p|q. */
static bool parse_operands(struct parser *p, struct written_insn *w)
{
    struct ptx_insn *insn = &w->insn;

    if (token_is(&p->tok, ';'))
        return true;
    do {
        int i = insn->operand_count;
        if (i == MAX_OPERANDS)
            return parse_fail(p, &p->tok, "too many operands");
        if (!parse_operand(p, &insn->operand[i], &w->operand[i]))
            return false;
        insn->operand_count++;
        if (i == 0 && parse_accept(p, '|') &&
            !parse_operand(p, &insn->second, &w->second))
            return false;
    } while (parse_accept(p, ','));
    return !p->failed;
}

/* bra label;   brx.idx %r, label_of_the_list; */
static bool parse_branch(struct parser *p, struct written_insn *w)
{
    struct ptx_insn *insn = &w->insn;
    int i = 0;

    if (insn->op == OP_BRX) {
        if (!parse_operand(p, &insn->operand[0], &w->operand[0]) ||
            !parse_expect(p, ','))
            return false;
        i = 1;
    }
    struct label_use *use = list_push(&p->label_uses, sizeof *use);
    use->insn = p->insns.count;
    use->operand = i;
    use->scope = p->scope;
    insn->operand[i].kind = OPERAND_LABEL;
    insn->operand[i].reg = -1;
    w->operand[i].at = p->tok;
    insn->operand_count = i + 1;
    return parse_name(p, &use->at, "a label");
}

static bool keep(struct parser *p, struct written_insn *w)
{
    struct ptx_insn *insn = &w->insn;

    if (p->insn_total++ >= MAX_INSNS)
        return parse_fail(p, &w->at, "more than %d instructions", MAX_INSNS);
    insn->ptx_line = w->at.line;
    insn->location = p->location;
    insn->file = -1;
    insn->reconverge = -1;
    if (insn->op == OP_BAR && insn->mode != MODE_WARP)
        insn->flags |= FLAG_ALIGNED;
    insn->flags &= ~(uint32_t)FLAG_CACHE_HINT;
    *(struct ptx_insn *)list_push(&p->insns, sizeof *insn) = *insn;
    return true;
}

bool parse_instruction(struct parser *p)
{
    struct written_insn w = {0};

    if (!parse_guard(p, &w.insn) || !parse_opcode(p, &w))
        return false;
    if (w.is_left_out)
        return keep(p, &w) && parse_expect(p, ';');
    if (!parse_modifiers(p, &w.insn) || !check_form(p, &w))
        return false;
    bool ok;
    if (w.insn.op == OP_CALL)
        ok = parse_call(p, &w);
    else if (w.insn.op == OP_BRA || w.insn.op == OP_BRX)
        ok = parse_branch(p, &w);
    else
        ok = parse_operands(p, &w);
    if (!ok || !token_is(&p->tok, ';'))
        return parse_expect(p, ';');
    return check_operands(p, &w) && keep(p, &w) && parse_advance(p);
}
