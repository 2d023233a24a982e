/* What can only be known at the end: labels at the end of a function; files,
 * lines, names in initialisers and aliases at the end of the module. */
#include "ptx/flow.h"
#include "ptx/parse.h"

#include <stdlib.h>
#include <string.h>

/* ---- labels --------------------------------------------------------------- */

static bool find_label(struct parser *p, const struct token *t,
                       const struct scope *scope, struct ptx_operand *o)
{
    struct name *name = names_lookup(&p->names, scope, t->text, t->length);

    if (!name || name->kind != NAME_LABEL)
        return parse_fail(p, t, "there is no label '%.*s' in this function",
                          t->length > 80 ? 80 : t->length, t->text);
    *o = (struct ptx_operand){
        .kind = OPERAND_LABEL, .reg = -1, .target = name->index};
    return true;
}

/* The list of brx.idx; every brx of the same list shares one array. */
static bool find_targets(struct parser *p, const struct label_use *use,
                         struct ptx_insn *insn)
{
    const struct token *t = &use->at;
    struct name *list = names_lookup(&p->names, use->scope, t->text, t->length);

    if (!list || list->kind != NAME_TARGETS)
        return parse_fail(p, t, "there is no .branchtargets list '%.*s'",
                          t->length > 80 ? 80 : t->length, t->text);
    p->target_total += list->count;
    if (p->target_total > MAX_INSNS)
        return parse_fail(p, t, "more than %d branch targets", MAX_INSNS);
    if (!list->operands) {
        list->operands = arena_array(&p->program->arena, list->count,
                                     sizeof *list->operands);
        for (uint64_t i = 0; i < list->count; i++)
            if (!find_label(p, &list->targets[i], use->scope,
                            &list->operands[i]))
                return false;
    }
    insn->targets = list->operands;
    insn->target_count = (int)list->count;
    return true;
}

bool resolve_function(struct parser *p)
{
    struct ptx_function *f = p->function;
    struct label_use *uses = p->label_uses.data;

    for (int i = 0; i < p->label_uses.count; i++) {
        struct ptx_insn *insn = &f->insns[uses[i].insn];
        p->location = insn->location; /* for the message */
        bool ok = insn->op == OP_BRX
                      ? find_targets(p, &uses[i], insn)
                      : find_label(p, &uses[i].at, uses[i].scope,
                                   &insn->operand[uses[i].operand]);
        if (!ok)
            return false;
    }
    p->label_uses.count = 0;
    flow_reconverge(f);
    return true;
}

/* ---- files and lines ------------------------------------------------------- */

struct numbered {
    uint64_t number;
    int index;
};

static int by_number(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* From .file's numbers to places in program->files. */
static void resolve_files(struct parser *p)
{
    struct ptx_program *program = p->program;
    struct file_row *rows = p->files.data;
    size_t count = (size_t)p->files.count;
    struct numbered *table = arena_array(&p->scratch, count, sizeof *table);

    program->file_count = (int)count;
    program->files = arena_array(&program->arena, count, sizeof(char *));
    for (size_t i = 0; i < count; i++) {
        program->files[i] = rows[i].path;
        table[i] = (struct numbered){rows[i].number, (int)i};
    }
    if (count)
        qsort(table, count, sizeof *table, by_number);
    for (int i = 0; i < program->location_count; i++) {
        struct ptx_location *l = &program->locations[i];
        struct numbered key = {.number = (uint64_t)l->file};
        struct numbered *row =
            count ? bsearch(&key, table, count, sizeof *table, by_number)
                  : NULL;
        l->file = row ? row->index : -1;
    }
}

static bool is_cu(const struct ptx_program *program, int file)
{
    if (file < 0)
        return false;
    size_t length = strlen(program->files[file]);
    return length > 3 && strcmp(program->files[file] + length - 3, ".cu") == 0;
}

/* For every location the one to blame: in the chain of inlined calls the
 * innermost in a .cu file, else the outermost.  A chain goes to smaller
 * indexes only, so one pass does it. */
static int *find_blamed(struct parser *p)
{
    struct ptx_program *program = p->program;
    int *blamed = arena_array(&p->scratch, (size_t)program->location_count,
                              sizeof *blamed);

    for (int i = 0; i < program->location_count; i++) {
        const struct ptx_location *l = &program->locations[i];
        blamed[i] = l->inlined_at >= 0 && !is_cu(program, l->file)
                        ? blamed[l->inlined_at]
                        : i;
    }
    return blamed;
}

static void inherit(struct ptx_insn *insn, const struct ptx_insn *from)
{
    if (insn->line != 0)
        return;
    insn->line = from->line;
    insn->file = from->file;
}

/* Line 0 means: made by the compiler.  Such an instruction belongs to the line
 * before it in its basic block, else to the one after it, else to what stands
 * around the block. */
static void fill_lines(struct ptx_function *f, const bool *starts)
{
    struct ptx_insn *insns = f->insns;

    for (int pass = 0; pass < 2; pass++) {
        bool anywhere = pass == 1;
        for (int i = 1; i < f->insn_count; i++)
            if (anywhere || !starts[i])
                inherit(&insns[i], &insns[i - 1]);
        for (int i = f->insn_count - 2; i >= 0; i--)
            if (anywhere || !starts[i + 1])
                inherit(&insns[i], &insns[i + 1]);
    }
}

static void resolve_lines(struct parser *p)
{
    struct ptx_program *program = p->program;
    const int *blamed = find_blamed(p);

    for (int i = 0; i < program->function_count; i++) {
        struct ptx_function *f = program->functions[i];
        struct arena arena = {0};
        for (int j = 0; j < f->insn_count; j++) {
            struct ptx_insn *insn = &f->insns[j];
            if (insn->location < 0)
                continue;
            const struct ptx_location *l =
                &program->locations[blamed[insn->location]];
            if (l->file < 0 || l->line == 0)
                continue;
            insn->line = l->line;
            insn->file = l->file;
        }
        fill_lines(f, ptx_block_starts(&arena, f));
        arena_free(&arena);
    }
}

/* ---- names ------------------------------------------------------------------ */

static bool resolve_symbols(struct parser *p)
{
    struct symbol_use *uses = p->symbol_uses.data;

    for (int i = 0; i < p->symbol_uses.count; i++) {
        const struct token *t = &uses[i].at;
        struct name *name =
            names_lookup(&p->names, uses[i].scope, t->text, t->length);
        if (!name || (!name->variable && !name->function))
            return parse_fail(p, t, "unknown variable '%.*s'",
                              t->length > 80 ? 80 : t->length, t->text);
        struct ptx_relocation *r =
            &uses[i].variable->relocations[uses[i].relocation];
        r->variable = name->variable;
        r->function = name->function;
    }
    return true;
}

static struct ptx_function *find_function(struct parser *p,
                                          const struct token *t)
{
    struct name *name = names_find(&p->names, p->module, t->text, t->length);

    if (name && name->kind == NAME_FUNCTION)
        return name->function;
    parse_fail(p, t, "unknown function '%.*s'", t->length > 80 ? 80 : t->length,
               t->text);
    return NULL;
}

/* .alias a, b: a was declared without a body and now has b's. */
static bool resolve_aliases(struct parser *p)
{
    struct alias *aliases = p->aliases.data;

    for (int i = 0; i < p->aliases.count; i++) {
        struct ptx_function *f = find_function(p, &aliases[i].name);
        struct ptx_function *target = find_function(p, &aliases[i].target);
        if (!f || !target)
            return false;
        if (f->has_body || !target->has_body ||
            !parse_same_signature(f, target))
            return parse_fail(p, &aliases[i].name,
                              "'%s' cannot be an alias of "
                              "'%s'",
                              f->name, target->name);
        const char *name = f->name;
        *f = *target;
        f->name = name;
    }
    return true;
}

bool resolve_module(struct parser *p)
{
    struct ptx_program *program = p->program;
    struct arena *arena = &program->arena;

    if (!resolve_symbols(p) || !resolve_aliases(p))
        return false;
    program->function_count = p->functions.count;
    program->functions = list_finish(&p->functions, arena, sizeof(void *));
    program->variable_count = p->variables.count;
    program->variables = list_finish(&p->variables, arena, sizeof(void *));
    program->location_count = p->locations.count;
    program->locations =
        list_finish(&p->locations, arena, sizeof *program->locations);
    resolve_files(p);
    resolve_lines(p);
    return true;
}
