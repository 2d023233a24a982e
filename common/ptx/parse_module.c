/* Everything outside function bodies (PTX ISA 11.1 - 11.4): .version, .target,
 * .file, variables, and the headers of kernels and functions. */
#include "ptx/parse.h"

#include <stdlib.h>
#include <string.h>

static bool at(const struct parser *p, const char *directive)
{
    return p->tok.kind == TOKEN_DOT && token_equals(&p->tok, directive);
}

static bool accept_dot(struct parser *p, const char *directive)
{
    return at(p, directive) && parse_advance(p);
}

/* .version 8.4: the lexer sees one number; 8.10 is not 8.1. */
static bool parse_version(struct parser *p)
{
    struct token t = p->tok;

    if (t.kind != TOKEN_FLOAT64 || t.length > 8)
        return parse_fail(p, &t, "a version such as 8.4 must stand here");
    char *dot;
    p->program->version_major = (int)strtol(t.text, &dot, 10);
    p->program->version_minor = *dot == '.' ? atoi(dot + 1) : 0;
    return parse_advance(p);
}

/* .target sm_70, texmode_independent, debug */
static bool parse_target(struct parser *p)
{
    do {
        struct token name;
        if (!parse_name(p, &name, "a target such as sm_70"))
            return false;
        if (name.length > 3 && strncmp(name.text, "sm_", 3) == 0 &&
            name.length < 10)
            p->program->target = atoi(name.text + 3);
    } while (parse_accept(p, ','));
    return !p->failed;
}

static bool parse_address_size(struct parser *p)
{
    struct token t = p->tok;
    uint64_t size;

    if (!parse_integer(p, &size, "32 or 64"))
        return false;
    return size == 64 || parse_fail(p, &t,
                                    "only 64-bit addresses are known "
                                    "here");
}

/* A path goes into messages: it must not steer the terminal. */
static char *copy_path(struct parser *p, const struct token *t)
{
    char *path = parse_copy(p, t);

    for (char *c = path; *c; c++)
        if ((unsigned char)*c < 32 || *c == 127)
            *c = '?';
    return path;
}

/* .file 1 "dir/kernel.cu"[, timestamp, size]; a second string is the name
 * below the directory that the first one gives. */
static bool parse_file(struct parser *p)
{
    uint64_t number, ignored;
    struct token path = p->tok;

    if (!parse_integer(p, &number, "the number of a file"))
        return false;
    path = p->tok;
    if (path.kind != TOKEN_STRING)
        return parse_fail(p, &path, "a file name in quotes must stand here");
    struct file_row *row = list_push(&p->files, sizeof *row);
    row->number = number;
    row->path = copy_path(p, &path);
    if (!parse_advance(p))
        return false;
    if (p->tok.kind == TOKEN_STRING) {
        row->path = arena_printf(&p->program->arena, "%s/%s", row->path,
                                 copy_path(p, &p->tok));
        parse_advance(p);
    }
    while (parse_accept(p, ','))
        if (!parse_integer(p, &ignored, "a number"))
            return false;
    return !p->failed;
}

/* .section .debug_str { ... }: nothing in it changes what the kernel does. */
static bool skip_section(struct parser *p)
{
    int depth = 0;

    while (!token_is(&p->tok, '{'))
        if (p->tok.kind == TOKEN_END || !parse_advance(p))
            return parse_expect(p, '{');
    do {
        if (p->tok.kind == TOKEN_END)
            return parse_expect(p, '}');
        depth += token_is(&p->tok, '{');
        depth -= token_is(&p->tok, '}');
        if (!parse_advance(p))
            return false;
    } while (depth > 0);
    return true;
}

/* ---- functions ----------------------------------------------------------- */

static bool parse_params(struct parser *p, bool is_entry,
                         struct ptx_variable ***list, int *count)
{
    struct list params = {0};

    if (!parse_expect(p, '('))
        return false;
    while (!token_is(&p->tok, ')')) {
        struct ptx_variable *v = parse_param(p, is_entry);
        if (!v) {
            free(params.data);
            return false;
        }
        v->index = params.count;
        *(struct ptx_variable **)list_push(&params, sizeof(void *)) = v;
        if (!parse_accept(p, ','))
            break;
    }
    *count = params.count;
    *list = list_finish(&params, &p->program->arena, sizeof(void *));
    return parse_expect(p, ')');
}

/* .maxntid 256, 1, 1 and its relatives: up to three numbers */
static bool parse_numbers(struct parser *p, uint64_t numbers[3])
{
    for (int i = 0; parse_at_number(p); i++) {
        uint64_t value;
        if (!parse_integer(p, &value, "a number"))
            return false;
        if (i < 3)
            numbers[i] = value;
        if (!parse_accept(p, ','))
            break;
    }
    return !p->failed;
}

static bool parse_max_threads(struct parser *p, struct ptx_function *f)
{
    struct token where = p->tok;
    uint64_t numbers[3] = {1, 1, 1};

    f->required_threads = at(p, ".reqntid");
    if (!parse_advance(p) || !parse_numbers(p, numbers))
        return false;
    for (int i = 0; i < 3; i++) {
        if (numbers[i] < 1 || numbers[i] > 65535)
            return parse_fail(p, &where, "a block size must be 1 to 65535");
        f->max_threads[i] = (int)numbers[i];
    }
    return true;
}

/* What stands between the parameters and the body. */
static bool parse_performance_hints(struct parser *p, struct ptx_function *f)
{
    static const char *const known[] = {
        ".minnctapersm",      ".maxnctapersm",   ".maxnreg",
        ".noreturn",          ".pragma",         ".explicitcluster",
        ".reqnctapercluster", ".maxclusterrank", ".blocksareclusters",
        ".abi_preserve",      ".unique",         ".abi_preserve_control"};
    uint64_t ignored[3];

    while (p->tok.kind == TOKEN_DOT) {
        if (at(p, ".maxntid") || at(p, ".reqntid")) {
            if (!parse_max_threads(p, f))
                return false;
            continue;
        }
        size_t i = 0, count = sizeof known / sizeof known[0];
        while (i < count && !at(p, known[i]))
            i++;
        if (i == count)
            return parse_fail(p, &p->tok, "unknown directive '%.*s'",
                              p->tok.length, p->tok.text);
        bool is_pragma = at(p, ".pragma");
        if (!parse_advance(p) ||
            !(is_pragma ? parse_skip_to(p, ';') : parse_numbers(p, ignored)))
            return false;
    }
    return true;
}

/* The function of this name: declared before, or new. */
static struct ptx_function *declare_function(struct parser *p,
                                             const struct token *name)
{
    struct name *known =
        names_find(&p->names, p->module, name->text, name->length);

    if (known && (known->kind != NAME_FUNCTION || known->function->has_body)) {
        parse_fail(p, name, "'%.*s' is declared twice", name->length,
                   name->text);
        return NULL;
    }
    if (known)
        return known->function;
    struct ptx_function *f = arena_alloc(&p->program->arena, sizeof *f);
    f->name = parse_copy(p, name);
    f->program = p->program;
    f->line = name->line;
    *(struct ptx_function **)list_push(&p->functions, sizeof(void *)) = f;
    names_add(&p->names, p->module, name->text, name->length, NAME_FUNCTION)
        ->function = f;
    return f;
}

bool parse_same_signature(const struct ptx_function *a,
                          const struct ptx_function *b)
{
    if (a->is_entry != b->is_entry || a->param_count != b->param_count ||
        a->result_count != b->result_count)
        return false;
    for (int i = 0; i < a->param_count; i++)
        if (a->params[i]->bytes != b->params[i]->bytes)
            return false;
    for (int i = 0; i < a->result_count; i++)
        if (a->results[i]->bytes != b->results[i]->bytes)
            return false;
    return true;
}

/* Parameters and results of the function `f` as they stand here: calls that
 * came before relied on an earlier declaration. */
static bool set_signature(struct parser *p, struct ptx_function *f,
                          const struct ptx_function *here,
                          const struct token *name)
{
    if (f->is_declared && !parse_same_signature(f, here))
        return parse_fail(p, name, "'%s' was declared with other parameters",
                          f->name);
    f->is_declared = true;
    f->is_entry = here->is_entry;
    f->params = here->params;
    f->param_count = here->param_count;
    f->results = here->results;
    f->result_count = here->result_count;
    for (int i = 0; i < f->param_count; i++)
        f->params[i]->function = f;
    for (int i = 0; i < f->result_count; i++)
        f->results[i]->function = f;
    return true;
}

static bool parse_definition(struct parser *p, struct ptx_function *f,
                             const struct token *name)
{
    p->function = f;
    f->has_body = true;
    f->line = name->line;
    bool ok = parse_body(p);
    p->function = NULL;
    return ok;
}

/* .entry name(params) hints { body }
 * .func (result) name(params) hints { body }, or ; instead of the body */
static bool parse_function(struct parser *p, bool is_entry)
{
    struct ptx_function here = {.is_entry = is_entry};
    struct token name;

    p->scope = parse_open_scope(p, p->module);
    p->registers.count = 0; /* those of a prototype before */
    if (!is_entry && accept_dot(p, ".attribute") && !parse_skip_to(p, ')'))
        return false;
    if (!is_entry && token_is(&p->tok, '(') &&
        !parse_params(p, false, &here.results, &here.result_count))
        return false;
    if (!parse_name(p, &name, "the name of a function"))
        return false;
    if (token_is(&p->tok, '(') &&
        !parse_params(p, is_entry, &here.params, &here.param_count))
        return false;
    struct ptx_function *f = declare_function(p, &name);
    if (!f || !set_signature(p, f, &here, &name) ||
        !parse_performance_hints(p, f))
        return false;
    bool ok = token_is(&p->tok, ';') ? parse_advance(p)
                                     : parse_definition(p, f, &name);
    p->scope = p->module;
    return ok;
}

/* .alias name, target; */
static bool parse_alias(struct parser *p)
{
    struct alias *alias = list_push(&p->aliases, sizeof *alias);

    return parse_name(p, &alias->name, "the name of a function") &&
           parse_expect(p, ',') &&
           parse_name(p, &alias->target, "the name of a function") &&
           parse_expect(p, ';');
}

/* After .visible, .extern, .weak, .common: a variable or a function. */
static bool parse_declaration(struct parser *p, bool is_extern)
{
    enum ptx_space space;

    if (accept_dot(p, ".entry"))
        return parse_function(p, true);
    if (accept_dot(p, ".func"))
        return parse_function(p, false);
    if (p->tok.kind == TOKEN_DOT && parse_is_space(&p->tok, &space)) {
        if (space == SPACE_PARAM || space == SPACE_LOCAL)
            return parse_fail(p, &p->tok,
                              "'%.*s' cannot stand outside a "
                              "function",
                              p->tok.length, p->tok.text);
        return parse_variables(p, space, is_extern);
    }
    return parse_fail(p, &p->tok, "unknown directive '%.*s'", p->tok.length,
                      p->tok.text);
}

static bool parse_directive(struct parser *p)
{
    bool is_extern = false;

    if (accept_dot(p, ".version"))
        return parse_version(p);
    if (accept_dot(p, ".target"))
        return parse_target(p);
    if (accept_dot(p, ".address_size"))
        return parse_address_size(p);
    if (accept_dot(p, ".file"))
        return parse_file(p);
    if (accept_dot(p, ".section"))
        return skip_section(p);
    if (accept_dot(p, ".pragma"))
        return parse_skip_to(p, ';');
    if (accept_dot(p, ".alias"))
        return parse_alias(p);
    while (at(p, ".visible") || at(p, ".extern") || at(p, ".weak") ||
           at(p, ".common")) {
        is_extern = is_extern || at(p, ".extern");
        if (!parse_advance(p))
            return false;
    }
    return parse_declaration(p, is_extern);
}

bool parse_module(struct parser *p)
{
    struct token first = p->tok;

    if (first.kind == TOKEN_END)
        return parse_fail(p, &first, "there is no PTX here: the text is empty");
    if (!at(p, ".version"))
        return parse_fail(p, &first,
                          "this is not PTX: it must begin with "
                          ".version");
    while (p->tok.kind == TOKEN_DOT)
        if (!parse_directive(p))
            return false;
    if (p->failed || p->tok.kind == TOKEN_END)
        return !p->failed;
    return parse_fail(p, &p->tok, "a directive must stand here, not '%.*s'",
                      p->tok.length > 40 ? 40 : p->tok.length, p->tok.text);
}
