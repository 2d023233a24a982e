/* ptx_load, and the small tools all parts of the parser use.
 *
 * The parser looks at one token at a time (p->tok) and never goes back.  The
 * first error ends it: parse_fail() puts the lexer at the end of the text, so
 * that every loop meets TOKEN_END. */
#include "ptx/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More text than this is no kernel, and int must hold its lines. */
enum { MAX_TEXT_BYTES = 1 << 30 };

void *list_push(struct list *l, size_t size)
{
    if (l->count == l->capacity) {
        l->capacity = l->capacity ? l->capacity * 2 : 16;
        l->data = checked_realloc(l->data, (size_t)l->capacity * size);
    }
    return memset((char *)l->data + (size_t)l->count++ * size, 0, size);
}

void *list_finish(struct list *l, struct arena *arena, size_t size)
{
    void *copy = arena_array(arena, (size_t)l->count, size);
    if (l->count)
        memcpy(copy, l->data, (size_t)l->count * size);
    free(l->data);
    *l = (struct list){0};
    return copy;
}

/* The .file row may come after the error: clang writes them last. */
static const char *find_file(struct parser *p, int number)
{
    struct lexer ahead = p->lexer;
    struct file_row *rows = p->files.data;

    for (int i = 0; i < p->files.count; i++)
        if (rows[i].number == (uint64_t)number)
            return rows[i].path;
    for (;;) {
        struct token t = lex_next(&ahead);
        if (t.kind == TOKEN_END || (t.kind == TOKEN_BAD && !ahead.at[0]))
            return NULL;
        if (t.kind != TOKEN_DOT || !token_equals(&t, ".file"))
            continue;
        t = lex_next(&ahead);
        struct token path = lex_next(&ahead);
        if (t.kind == TOKEN_INTEGER && t.bits == (uint64_t)number &&
            path.kind == TOKEN_STRING)
            return parse_copy(p, &path);
    }
}

/* "from kernel.cu:14", below a message about an instruction. */
static void add_source_line(struct parser *p)
{
    struct ptx_location *locations = p->locations.data;
    size_t used = strlen(p->error->text);

    int links = 0; /* each may search the whole text */
    for (int i = p->location; i >= 0 && links < 8;
         i = locations[i].inlined_at, links++) {
        const char *path = find_file(p, locations[i].file);
        size_t length = path ? strlen(path) : 0;
        if (length < 3 || strcmp(path + length - 3, ".cu") != 0)
            continue;
        snprintf(p->error->text + used, sizeof p->error->text - used,
                 "\n    from %s:%d", path, locations[i].line);
        return;
    }
}

bool parse_fail(struct parser *p, const struct token *at, const char *format,
                ...)
{
    char message[512];
    va_list args;

    if (p->failed)
        return false;
    p->failed = true;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    struct place place = {p->program->name, at->line, at->column,
                          at->line_start};
    error_at(p->error, place, "%s", message);
    if (p->function)
        add_source_line(p);
    p->lexer.at = p->lexer.end;
    p->tok.kind = TOKEN_END;
    return false;
}

bool parse_advance(struct parser *p)
{
    if (p->failed)
        return false;
    p->tok = lex_next(&p->lexer);
    if (p->tok.kind == TOKEN_BAD)
        return parse_fail(p, &p->tok, "%s", p->lexer.problem);
    return true;
}

bool parse_accept(struct parser *p, char punct)
{
    return token_is(&p->tok, punct) && parse_advance(p);
}

/* How a token is named in a message. */
static const char *shown(const struct token *t, char buffer[64])
{
    if (t->kind == TOKEN_END)
        return "the end of the text";
    snprintf(buffer, 64, "'%.*s'", t->length > 40 ? 40 : t->length, t->text);
    return buffer;
}

bool parse_expect(struct parser *p, char punct)
{
    char buffer[64];

    if (token_is(&p->tok, punct))
        return parse_advance(p);
    return parse_fail(p, &p->tok, "'%c' is missing before %s", punct,
                      shown(&p->tok, buffer));
}

bool parse_name(struct parser *p, struct token *name, const char *what)
{
    char buffer[64];

    if (p->tok.kind != TOKEN_NAME)
        return parse_fail(p, &p->tok, "%s must stand here, not %s", what,
                          shown(&p->tok, buffer));
    *name = p->tok;
    return parse_advance(p);
}

bool parse_integer(struct parser *p, uint64_t *value, const char *what)
{
    char buffer[64];

    if (p->tok.kind != TOKEN_INTEGER)
        return parse_fail(p, &p->tok, "%s must stand here, not %s", what,
                          shown(&p->tok, buffer));
    *value = p->tok.bits;
    return parse_advance(p);
}

bool parse_at_number(const struct parser *p)
{
    return p->tok.kind == TOKEN_INTEGER || p->tok.kind == TOKEN_FLOAT32 ||
           p->tok.kind == TOKEN_FLOAT64 || token_is(&p->tok, '-') ||
           token_is(&p->tok, '~') || token_is(&p->tok, '+');
}

bool parse_number(struct parser *p, uint64_t *bits, enum token_kind *literal)
{
    char buffer[64];
    bool minus = false, invert = false;

    if (token_is(&p->tok, '-'))
        minus = parse_accept(p, '-');
    else if (token_is(&p->tok, '~'))
        invert = parse_accept(p, '~');
    else
        parse_accept(p, '+');
    *literal = p->tok.kind;
    *bits = p->tok.bits;
    if (*literal == TOKEN_INTEGER) {
        *bits = minus ? 0 - *bits : invert ? ~*bits : *bits;
    } else if ((*literal == TOKEN_FLOAT32 || *literal == TOKEN_FLOAT64) &&
               !invert) {
        if (minus)
            *bits ^= *literal == TOKEN_FLOAT32 ? 1ull << 31 : 1ull << 63;
    } else {
        return parse_fail(p, &p->tok, "a number must stand here, not %s",
                          shown(&p->tok, buffer));
    }
    return parse_advance(p);
}

bool parse_skip_to(struct parser *p, char punct)
{
    while (!token_is(&p->tok, punct)) {
        if (p->tok.kind == TOKEN_END)
            return parse_expect(p, punct);
        if (!parse_advance(p))
            return false;
    }
    return parse_advance(p);
}

struct scope *parse_open_scope(struct parser *p, struct scope *outer)
{
    struct scope *scope = arena_alloc(&p->scratch, sizeof *scope);
    scope->ranges = arena_alloc(&p->scratch, sizeof *scope);
    scope->outer = outer;
    scope->depth = outer ? outer->depth + 1 : 0;
    return scope;
}

char *parse_copy(struct parser *p, const struct token *t)
{
    return arena_copy(&p->program->arena, t->text, (size_t)t->length);
}

struct name *parse_declare(struct parser *p, const struct token *t,
                           enum name_kind kind)
{
    if (names_find(&p->names, p->scope, t->text, t->length)) {
        parse_fail(p, t, "'%.*s' is declared twice", t->length, t->text);
        return NULL;
    }
    return names_add(&p->names, p->scope, t->text, t->length, kind);
}

static void free_lists(struct parser *p)
{
    struct list *lists[] = {&p->functions, &p->variables,   &p->locations,
                            &p->files,     &p->symbol_uses, &p->aliases,
                            &p->insns,     &p->registers,   &p->locals,
                            &p->label_uses};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        free(lists[i]->data);
}

static bool load(struct ptx_program *program, struct error *e)
{
    struct parser p = {.program = program, .error = e, .location = -1};

    p.lexer = (struct lexer){.at = program->text,
                             .end = program->text + program->length,
                             .line_start = program->text,
                             .line = 1};
    p.names.arena = &p.scratch;
    p.module = p.scope = parse_open_scope(&p, NULL);
    bool ok = parse_advance(&p) && parse_module(&p) && resolve_module(&p);
    free_lists(&p);
    arena_free(&p.scratch);
    return ok;
}

struct ptx_program *ptx_load(const char *name, const char *text, size_t length,
                             struct error *e)
{
    if (length > MAX_TEXT_BYTES) {
        error_set(e, "%s: too long to be PTX (%zu bytes)", name, length);
        return NULL;
    }
    struct ptx_program *program = checked_alloc(sizeof *program);
    program->name = arena_copy(&program->arena, name, strlen(name));
    program->text = arena_copy(&program->arena, text, length);
    program->length = length;
    if (!load(program, e)) {
        ptx_free(program);
        return NULL;
    }
    return program;
}

void ptx_free(struct ptx_program *program)
{
    if (!program)
        return;
    arena_free(&program->arena);
    free(program);
}
