/* Declarations: .reg, .global, .shared, .local, .const, .param (PTX ISA 5). */
#include "ptx/parse.h"

#include <string.h>

enum { MAX_DIMENSIONS = 8 };
/* No GPU has more memory than this; above it, sizes would overflow. */
#define MAX_VARIABLE_BYTES (1ull << 40)

static const struct {
    const char *directive;
    enum ptx_space space;
} spaces[] = {
    {".global", SPACE_GLOBAL}, {".shared", SPACE_SHARED},
    {".local", SPACE_LOCAL},   {".const", SPACE_CONST},
    {".param", SPACE_PARAM},
};

bool parse_is_space(const struct token *t, enum ptx_space *space)
{
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        if (token_equals(t, spaces[i].directive)) {
            *space = spaces[i].space;
            return true;
        }
    }
    return false;
}

/* ---- registers ----------------------------------------------------------- */

static void declare_register(struct parser *p, const struct token *name,
                             enum ptx_type type, struct name *entry)
{
    struct ptx_register *r = list_push(&p->registers, sizeof *r);

    entry->index = p->registers.count - 1;
    r->name = parse_copy(p, name);
    r->type = type;
    r->nested = entry->scope->depth > 1;
}

/* %r<15> stands for %r0 to %r14.  They come into being when they are used:
 * declaring four thousand million of them costs nothing. */
static bool parse_register_range(struct parser *p, const struct token *name,
                                 enum ptx_type type)
{
    uint64_t count;
    struct scope *ranges = p->scope->ranges;

    if (!parse_integer(p, &count, "a number of registers") ||
        !parse_expect(p, '>'))
        return false;
    if (count > UINT32_MAX)
        return parse_fail(p, name, "too many registers");
    if (names_find(&p->names, ranges, name->text, name->length))
        return parse_fail(p, name, "'%.*s<' is declared twice", name->length,
                          name->text);
    struct name *entry =
        names_add(&p->names, ranges, name->text, name->length, NAME_REGISTERS);
    entry->type = type;
    entry->count = count;
    return true;
}

/* .reg .b32 %r<15>, %a, b; */
bool parse_registers(struct parser *p)
{
    struct token t = p->tok;
    enum ptx_type type = PTX_TYPE_COUNT;

    if (t.kind == TOKEN_DOT)
        type = ptx_type_find(t.text + 1, t.length - 1);
    if (type == PTX_TYPE_COUNT)
        return parse_fail(p, &t,
                          token_equals(&t, ".v2") || token_equals(&t, ".v4")
                              ? "vector registers are not supported"
                              : "the type of the registers must stand "
                                "here, such as .b32");
    if (!parse_advance(p))
        return false;
    do {
        struct token name;
        if (!parse_name(p, &name, "the name of a register"))
            return false;
        if (parse_accept(p, '<')) {
            if (!parse_register_range(p, &name, type))
                return false;
            continue;
        }
        struct name *entry = parse_declare(p, &name, NAME_REGISTER);
        if (!entry)
            return false;
        declare_register(p, &name, type, entry);
    } while (parse_accept(p, ','));
    return parse_expect(p, ';');
}

/* Is the name `range` plus a number below its count?  %r1<5> makes %r10 as
 * %r<11> does, so every way to split the digits off is tried. */
static struct name *find_in_ranges(struct parser *p, const struct scope *scope,
                                   const struct token *t)
{
    uint64_t number = 0, weight = 1;

    for (int i = t->length - 1; i > 0 && t->length - i <= 10; i--) {
        char c = t->text[i];
        if (c < '0' || c > '9')
            break;
        number += (uint64_t)(c - '0') * weight;
        weight *= 10;
        if (c == '0' && i != t->length - 1)
            continue; /* %r07 is no register of %r<15> */
        struct name *range = names_find(&p->names, scope->ranges, t->text, i);
        if (range && number < range->count)
            return range;
    }
    return NULL;
}

int parse_find_register(struct parser *p, const struct token *t)
{
    for (struct scope *s = p->scope; s; s = s->outer) {
        struct name *name = names_find(&p->names, s, t->text, t->length);
        if (name)
            return name->kind == NAME_REGISTER ? name->index : -1;
        struct name *range = find_in_ranges(p, s, t);
        if (!range)
            continue;
        name = names_add(&p->names, s, t->text, t->length, NAME_REGISTER);
        declare_register(p, t, range->type, name);
        return name->index;
    }
    return -1;
}

/* ---- variables ----------------------------------------------------------- */

/* What stands before the name. */
struct declared {
    uint64_t align;
    int vector;
    enum ptx_type type;
};

static bool parse_align(struct parser *p, uint64_t *align)
{
    struct token t = p->tok;

    if (!parse_integer(p, align, "an alignment"))
        return false;
    if (*align < 1 || *align > 65536 || (*align & (*align - 1)))
        return parse_fail(p, &t,
                          "an alignment must be a power of two up to "
                          "65536");
    return true;
}

/* .ptr .global .align 4: what a pointer parameter points to.  A promise for
 * the compiler; we check every access instead. */
static bool skip_pointer(struct parser *p)
{
    enum ptx_space space;
    uint64_t align;

    if (p->tok.kind == TOKEN_DOT && parse_is_space(&p->tok, &space) &&
        !parse_advance(p))
        return false;
    if (p->tok.kind == TOKEN_DOT && token_equals(&p->tok, ".align"))
        return parse_advance(p) && parse_align(p, &align);
    return !p->failed;
}

/* .attribute(.managed), .align 8, .v4, the type, .ptr in any order */
static bool parse_declared(struct parser *p, struct declared *d)
{
    *d = (struct declared){.vector = 1, .type = PTX_NONE};
    while (p->tok.kind == TOKEN_DOT) {
        struct token t = p->tok;
        enum ptx_type type = ptx_type_find(t.text + 1, t.length - 1);
        if (!parse_advance(p))
            return false;
        bool ok = true;
        if (type != PTX_TYPE_COUNT)
            d->type = type;
        else if (token_equals(&t, ".align"))
            ok = parse_align(p, &d->align);
        else if (token_equals(&t, ".ptr"))
            ok = skip_pointer(p);
        else if (token_equals(&t, ".attribute"))
            ok = parse_skip_to(p, ')');
        else if (token_equals(&t, ".v2") || token_equals(&t, ".v4"))
            d->vector = t.text[2] - '0';
        else
            ok = parse_fail(p, &t, "'%.*s' cannot stand in a declaration",
                            t.length, t.text);
        if (!ok)
            return false;
    }
    if (ptx_type_bytes(d->type) == 0)
        return parse_fail(p, &p->tok, "a type must stand before this name");
    return true;
}

/* [4][8]: sizes of the dimensions, 0 for []. */
static bool parse_dimensions(struct parser *p, uint64_t *sizes, int *count)
{
    for (*count = 0; token_is(&p->tok, '['); (*count)++) {
        struct token t = p->tok;
        uint64_t size = 0;
        if (!parse_advance(p))
            return false;
        if (*count == MAX_DIMENSIONS)
            return parse_fail(p, &t, "too many dimensions");
        if (!token_is(&p->tok, ']')) {
            if (!parse_integer(p, &size, "the size of an array"))
                return false;
        } else if (*count > 0) {
            return parse_fail(p, &t, "only the first size may be left out");
        }
        if (!parse_expect(p, ']'))
            return false;
        sizes[*count] = size;
    }
    return true;
}

static bool set_bytes(struct parser *p, struct ptx_variable *v,
                      const struct token *name, const struct declared *d,
                      const uint64_t *sizes, int count)
{
    uint64_t bytes = (uint64_t)ptx_type_bytes(d->type) * (uint64_t)d->vector;

    v->type = d->type;
    v->align = (int)(d->align ? d->align : bytes);
    for (int i = 0; i < count; i++)
        if (__builtin_mul_overflow(bytes, sizes[i], &bytes) ||
            bytes > MAX_VARIABLE_BYTES)
            return parse_fail(p, name, "'%.*s' is too large", name->length,
                              name->text);
    v->bytes = bytes;
    return true;
}

/* A second declaration is fine when the first was extern: the same variable
 * then, and the second tells its size. */
static struct ptx_variable *declare_variable(struct parser *p,
                                             const struct token *name,
                                             enum ptx_space space,
                                             bool is_extern)
{
    struct name *known =
        names_find(&p->names, p->scope, name->text, name->length);

    if (known && known->kind == NAME_VARIABLE &&
        known->variable->space == space &&
        (known->variable->is_extern || is_extern))
        return known->variable;
    known = parse_declare(p, name, NAME_VARIABLE);
    if (!known)
        return NULL;
    struct list *list = p->function ? &p->locals : &p->variables;
    struct ptx_variable *v = arena_alloc(&p->program->arena, sizeof *v);
    v->name = parse_copy(p, name);
    v->space = space;
    v->is_extern = is_extern;
    v->index = list->count;
    v->function = p->function;
    v->line = name->line;
    v->nested = p->scope->depth > 1;
    *(struct ptx_variable **)list_push(list, sizeof(void *)) = v;
    known->variable = v;
    return v;
}

static bool parse_one(struct parser *p, const struct declared *d,
                      enum ptx_space space, bool is_extern)
{
    struct token name;
    uint64_t sizes[MAX_DIMENSIONS];
    int count;

    if (!parse_name(p, &name, "the name of a variable") ||
        !parse_dimensions(p, sizes, &count))
        return false;
    struct ptx_variable *v = declare_variable(p, &name, space, is_extern);
    if (!v)
        return false;
    if (is_extern && !v->is_extern) /* the definition came before */
        return !p->failed;
    v->is_extern = is_extern;
    if (!set_bytes(p, v, &name, d, sizes, count))
        return false;
    if (parse_accept(p, '=')) {
        if (is_extern)
            return parse_fail(p, &name,
                              "an extern variable has no value of "
                              "its own");
        if (space != SPACE_GLOBAL && space != SPACE_CONST)
            return parse_fail(p, &name,
                              "only .global and .const variables can "
                              "have a value at the start");
        return parse_initialiser(p, v, sizes, count);
    }
    if (v->bytes == 0 && count && sizes[0] == 0 && !is_extern)
        return parse_fail(p, &name, "the size of '%.*s' is missing",
                          name.length, name.text);
    return !p->failed;
}

bool parse_variables(struct parser *p, enum ptx_space space, bool is_extern)
{
    struct declared d;

    if (!parse_advance(p))
        return false;
    if (p->tok.kind == TOKEN_DOT && token_equals(&p->tok, ".reg"))
        return parse_fail(p, &p->tok, "registers have no state space");
    if (!parse_declared(p, &d))
        return false;
    do {
        if (!parse_one(p, &d, space, is_extern))
            return false;
    } while (parse_accept(p, ','));
    return parse_expect(p, ';');
}

/* .reg .b32 name: the parameter of a .func is a register in it. */
static struct ptx_variable *parse_register_param(struct parser *p)
{
    struct token t, name;

    if (!parse_advance(p))
        return NULL;
    t = p->tok;
    enum ptx_type type = t.kind == TOKEN_DOT
                             ? ptx_type_find(t.text + 1, t.length - 1)
                             : PTX_TYPE_COUNT;
    if (type == PTX_TYPE_COUNT || ptx_type_bytes(type) == 0 ||
        ptx_type_bytes(type) > 8) {
        parse_fail(p, &t, "a type of 8 to 64 bits must stand here");
        return NULL;
    }
    if (!parse_advance(p) || !parse_name(p, &name, "the name of a parameter"))
        return NULL;
    struct name *entry = parse_declare(p, &name, NAME_REGISTER);
    if (!entry)
        return NULL;
    declare_register(p, &name, type, entry);
    struct ptx_variable *v = arena_alloc(&p->program->arena, sizeof *v);
    *v = (struct ptx_variable){.name = parse_copy(p, &name),
                               .space = SPACE_PARAM,
                               .type = type,
                               .align = ptx_type_bytes(type),
                               .bytes = (uint64_t)ptx_type_bytes(type),
                               .line = name.line,
                               .in_register = true,
                               .reg = entry->index};
    return v;
}

/* .param .align 8 .b8 name[16]; prototypes may say _ for the name */
struct ptx_variable *parse_param(struct parser *p, bool is_entry)
{
    struct declared d;
    struct token name;
    uint64_t sizes[MAX_DIMENSIONS];
    int count;

    if (!is_entry && p->tok.kind == TOKEN_DOT && token_equals(&p->tok, ".reg"))
        return parse_register_param(p);
    if (p->tok.kind != TOKEN_DOT || !token_equals(&p->tok, ".param")) {
        parse_fail(p, &p->tok, "a parameter must begin with .param");
        return NULL;
    }
    if (!parse_advance(p) || !parse_declared(p, &d) ||
        !parse_name(p, &name, "the name of a parameter") ||
        !parse_dimensions(p, sizes, &count))
        return NULL;
    struct ptx_variable *v = arena_alloc(&p->program->arena, sizeof *v);
    if (!token_equals(&name, "_")) {
        struct name *entry = parse_declare(p, &name, NAME_VARIABLE);
        if (!entry)
            return NULL;
        entry->variable = v;
    }
    v->name = parse_copy(p, &name);
    v->space = SPACE_PARAM;
    v->line = name.line;
    return set_bytes(p, v, &name, &d, sizes, count) ? v : NULL;
}
