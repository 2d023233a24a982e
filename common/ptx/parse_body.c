/* The body of a function: nested scopes, declarations, labels, locations and
 * instructions, one statement after the other. */
#include "ptx/parse.h"

#include <string.h>

static bool at(const struct parser *p, const char *directive)
{
    return p->tok.kind == TOKEN_DOT && token_equals(&p->tok, directive);
}

/* ---- .loc ---------------------------------------------------------------- */

static bool parse_number_in(struct parser *p, int *value, const char *what)
{
    struct token t = p->tok;
    uint64_t number;

    if (!parse_integer(p, &number, what))
        return false;
    if (number > INT32_MAX)
        return parse_fail(p, &t, "this number is too large");
    *value = (int)number;
    return true;
}

static bool parse_place(struct parser *p, struct ptx_location *l)
{
    return parse_number_in(p, &l->file, "the number of a file") &&
           parse_number_in(p, &l->line, "a line") &&
           parse_number_in(p, &l->column, "a column");
}

/* The entry for a place in the text, which tells the location that was last
 * made for it; index -1 if there was none yet. */
static struct name *place_entry(struct parser *p, const struct ptx_location *l)
{
    const struct scope *scope = p->location_scope;
    char *key =
        arena_printf(&p->scratch, "%d %d %d", l->file, l->line, l->column);
    int length = (int)strlen(key);
    struct name *entry = names_find(&p->names, scope, key, length);

    if (!entry) {
        entry = names_add(&p->names, scope, key, length, NAME_LABEL);
        entry->index = -1;
    }
    return entry;
}

/* The location of a call.  A .loc for that very place may have come before
 * and say where that was inlined in turn: so the chain goes on.  Only earlier
 * locations are found, so no chain is a ring. */
static int find_call(struct parser *p, const struct ptx_location *call)
{
    struct name *entry = place_entry(p, call);

    if (entry->index < 0) {
        struct ptx_location *l = list_push(&p->locations, sizeof *l);
        *l = *call;
        l->inlined_at = -1;
        entry->index = p->locations.count - 1;
    }
    return entry->index;
}

/* .loc 1 14 5[, function_name $label[+8], inlined_at 1 20 3] */
static bool parse_loc(struct parser *p)
{
    struct ptx_location l = {.inlined_at = -1}, call = {0};
    bool is_inlined = false;

    if (!parse_place(p, &l))
        return false;
    while (parse_accept(p, ',')) {
        struct token word, label;
        uint64_t offset;
        if (!parse_name(p, &word, "function_name or inlined_at"))
            return false;
        if (token_equals(&word, "function_name")) {
            if (!parse_name(p, &label, "a label"))
                return false;
            if (parse_accept(p, '+') && !parse_integer(p, &offset, "a number"))
                return false;
        } else if (token_equals(&word, "inlined_at")) {
            is_inlined = true;
            if (!parse_place(p, &call))
                return false;
        } else {
            return parse_fail(p, &word,
                              "function_name or inlined_at must "
                              "stand here");
        }
    }
    if (is_inlined)
        l.inlined_at = find_call(p, &call);
    *(struct ptx_location *)list_push(&p->locations, sizeof l) = l;
    p->location = p->locations.count - 1;
    if (is_inlined)
        place_entry(p, &l)->index = p->location;
    return !p->failed;
}

/* ---- statements ---------------------------------------------------------- */

static bool parse_targets(struct parser *p, const struct token *label)
{
    struct list targets = {0};
    struct name *name = parse_declare(p, label, NAME_TARGETS);

    if (!name)
        return false;
    bool ok;
    do {
        struct token t;
        ok = parse_name(p, &t, "a label");
        if (ok)
            *(struct token *)list_push(&targets, sizeof t) = t;
    } while (ok && parse_accept(p, ','));
    name->count = (uint64_t)targets.count;
    name->targets = list_finish(&targets, &p->scratch, sizeof(struct token));
    return ok && parse_expect(p, ';');
}

/* After "name:". */
static bool parse_label(struct parser *p, const struct token *label)
{
    if (at(p, ".branchtargets"))
        return parse_advance(p) && parse_targets(p, label);
    if (at(p, ".callprototype") || at(p, ".calltargets"))
        return parse_declare(p, label, NAME_PROTOTYPE) && parse_skip_to(p, ';');
    struct name *name = parse_declare(p, label, NAME_LABEL);
    if (!name)
        return false;
    name->index = p->insns.count;
    return true;
}

static bool parse_body_directive(struct parser *p)
{
    enum ptx_space space;
    bool is_extern = false;

    if (at(p, ".loc"))
        return parse_advance(p) && parse_loc(p);
    if (at(p, ".reg"))
        return parse_advance(p) && parse_registers(p);
    if (at(p, ".pragma"))
        return parse_skip_to(p, ';');
    if (at(p, ".extern")) {
        is_extern = true;
        if (!parse_advance(p))
            return false;
    }
    if (p->tok.kind == TOKEN_DOT && parse_is_space(&p->tok, &space))
        return parse_variables(p, space, is_extern);
    return parse_fail(p, &p->tok, "unknown directive '%.*s'", p->tok.length,
                      p->tok.text);
}

static bool open_scope(struct parser *p)
{
    if (p->scope->depth > MAX_NESTING)
        return parse_fail(p, &p->tok, "too many { inside each other");
    p->scope = parse_open_scope(p, p->scope);
    return parse_advance(p);
}

static bool parse_statement(struct parser *p)
{
    if (token_is(&p->tok, '{'))
        return open_scope(p);
    if (token_is(&p->tok, ';'))
        return parse_advance(p);
    if (p->tok.kind == TOKEN_DOT)
        return parse_body_directive(p);
    if (p->tok.kind != TOKEN_NAME)
        return parse_instruction(p);
    struct lexer ahead = p->lexer;
    struct token next = lex_next(&ahead);
    if (!token_is(&next, ':'))
        return parse_instruction(p);
    struct token label = p->tok;
    return parse_advance(p) && parse_advance(p) && parse_label(p, &label);
}

static void finish_function(struct parser *p)
{
    struct ptx_function *f = p->function;
    struct arena *arena = &p->program->arena;

    f->insn_count = p->insns.count;
    f->insns = list_finish(&p->insns, arena, sizeof *f->insns);
    f->register_count = p->registers.count;
    f->registers = list_finish(&p->registers, arena, sizeof *f->registers);
    f->variable_count = p->locals.count;
    f->variables = list_finish(&p->locals, arena, sizeof(void *));
}

bool parse_body(struct parser *p)
{
    struct scope *outer = p->scope;
    struct token open = p->tok;

    p->location = -1;
    p->location_scope = parse_open_scope(p, NULL);
    if (!parse_expect(p, '{'))
        return false;
    while (!token_is(&p->tok, '}') || p->scope != outer) {
        bool ok;
        if (p->tok.kind == TOKEN_END) {
            return parse_fail(p, &open, "this { is never closed");
        } else if (token_is(&p->tok, '}')) {
            p->scope = p->scope->outer;
            ok = parse_advance(p);
        } else {
            ok = parse_statement(p);
        }
        if (!ok)
            return false;
    }
    finish_function(p);
    return resolve_function(p) && parse_advance(p);
}
