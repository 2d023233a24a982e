/* A whole program as text.  See print.h. */
#include "ptx/print.h"

#include "ptx/flow.h"

#include <inttypes.h>
#include <string.h>

static const char *const space_names[SPACE_COUNT] = {
    [SPACE_GLOBAL] = ".global", [SPACE_SHARED] = ".shared",
    [SPACE_LOCAL] = ".local",   [SPACE_CONST] = ".const",
    [SPACE_PARAM] = ".param",
};

/* ---- variables ---------------------------------------------------------------- */

static void print_symbol(struct text *t, const struct ptx_relocation *r)
{
    text_puts(t, r->generic ? "generic(" : "");
    if (r->variable)
        ptx_print_variable_name(t, r->variable);
    else
        text_puts(t, r->function->name);
    text_puts(t, r->generic ? ")" : "");
    if (r->offset)
        text_printf(t, "+%" PRId64, r->offset);
}

/* An address in a .b8 array: eight times one byte of it. */
static void print_symbol_bytes(struct text *t, const struct ptx_relocation *r)
{
    for (int i = 0; i < 8; i++) {
        text_printf(t, "%s0xFF%.*s(", i ? ", " : "", i * 2, "00000000000000");
        print_symbol(t, r);
        text_puts(t, ")");
    }
}

static void print_initial(struct text *t, const struct ptx_variable *v)
{
    uint64_t step = (uint64_t)ptx_type_bytes(v->type);
    int next = 0; /* relocation */

    for (uint64_t at = 0; at < v->bytes; at += step) {
        uint64_t bits = 0;
        text_puts(t, at ? ", " : " = {");
        if (next < v->relocation_count && v->relocations[next].at == at) {
            const struct ptx_relocation *r = &v->relocations[next++];
            if (step == 1) {
                print_symbol_bytes(t, r);
                at += 7;
            } else {
                print_symbol(t, r);
            }
            continue;
        }
        memcpy(&bits, v->initial + at, step < 8 ? step : 8);
        ptx_print_literal(t, v->type, bits);
    }
    text_puts(t, "}");
}

static void print_variable(struct text *t, const struct ptx_variable *v)
{
    uint64_t step = (uint64_t)ptx_type_bytes(v->type);

    text_printf(t, "%s%s .align %d .%s ", v->is_extern ? ".extern " : "",
                space_names[v->space], v->align, ptx_type_name(v->type));
    ptx_print_variable_name(t, v);
    if (v->bytes == 0)
        text_puts(t, "[]");
    else if (v->bytes != step || v->initial)
        text_printf(t, "[%" PRIu64 "]", v->bytes / step);
    if (v->initial)
        print_initial(t, v);
}

static void print_params(struct text *t, struct ptx_variable **list, int count)
{
    text_puts(t, "(");
    for (int i = 0; i < count; i++) {
        text_puts(t, i ? ", " : "");
        if (list[i]->in_register)
            text_printf(t, ".reg .%s %s", ptx_type_name(list[i]->type),
                        list[i]->name);
        else
            print_variable(t, list[i]);
    }
    text_puts(t, ")");
}

/* ---- functions ------------------------------------------------------------------ */

static void print_header(struct text *t, const struct ptx_function *f)
{
    const int *max = f->max_threads;

    text_puts(t, f->is_entry ? ".visible .entry " : ".visible .func ");
    if (f->result_count) {
        print_params(t, f->results, f->result_count);
        text_puts(t, " ");
    }
    text_puts(t, f->name);
    print_params(t, f->params, f->param_count);
    if (max[0])
        text_printf(t, "\n%s %d, %d, %d",
                    f->required_threads ? ".reqntid" : ".maxntid", max[0],
                    max[1], max[2]);
}

static bool is_listed(struct ptx_variable **list, int count, int reg)
{
    for (int i = 0; i < count; i++)
        if (list[i]->in_register && list[i]->reg == reg)
            return true;
    return false;
}

static void print_declarations(struct text *t, const struct ptx_function *f)
{
    for (int i = 0; i < f->register_count; i++) {
        const struct ptx_register *r = &f->registers[i];
        if (is_listed(f->params, f->param_count, i) ||
            is_listed(f->results, f->result_count, i))
            continue;
        text_printf(t, "    .reg .%s %s", ptx_type_name(r->type), r->name);
        if (r->nested)
            text_printf(t, "$%d", i);
        text_puts(t, ";\n");
    }
    for (int i = 0; i < f->variable_count; i++) {
        text_puts(t, "    ");
        print_variable(t, f->variables[i]);
        text_puts(t, ";\n");
    }
}

/* Instructions begin in column 4, what is known about them in column 48. */
static void print_line(struct text *t, const struct ptx_function *f, int i)
{
    const struct ptx_insn *insn = &f->insns[i];
    char where[256];
    size_t start = t->length;

    if (insn->op == OP_BRX) {
        text_printf(t, "$list%d: .branchtargets", i);
        for (int j = 0; j < insn->target_count; j++)
            text_printf(t, "%s $at%d", j ? "," : "", insn->targets[j].target);
        text_puts(t, ";\n");
        start = t->length;
    }
    text_puts(t, "    ");
    ptx_print_insn(t, f, insn);
    int width = (int)(t->length - start);
    text_printf(t, "%*s// %d", width < 47 ? 48 - width : 1, "", i);
    if (insn->line > 0)
        text_printf(t, " %s", ptx_where(f, insn, where, sizeof where));
    if (insn->reconverge >= 0)
        text_printf(t, ", meet at %d", insn->reconverge);
    text_puts(t, "\n");
}

static void print_body(struct text *t, const struct ptx_function *f)
{
    struct arena arena = {0};
    bool *starts = ptx_block_starts(&arena, f);
    int file = -1, line = -1;

    text_puts(t, "\n{\n");
    print_declarations(t, f);
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        if (starts[i])
            text_printf(t, "$at%d:\n", i);
        if (insn->line && (insn->line != line || insn->file != file))
            text_printf(t, "    .loc %d %d 0\n", insn->file + 1, insn->line);
        file = insn->file;
        line = insn->line;
        print_line(t, f, i);
    }
    /* a jump to the closing brace ends the function */
    text_printf(t, "$at%d:\n}\n", f->insn_count);
    arena_free(&arena);
}

void ptx_print_function(struct text *t, const struct ptx_function *f)
{
    text_puts(t, "\n");
    print_header(t, f);
    if (f->has_body)
        print_body(t, f);
    else
        text_puts(t, ";\n");
}

void ptx_print(struct text *t, const struct ptx_program *program)
{
    text_printf(t, ".version %d.%d\n.target sm_%d\n.address_size 64\n",
                program->version_major, program->version_minor,
                program->target);
    for (int i = 0; i < program->file_count; i++)
        text_printf(t, ".file %d \"%s\"\n", i + 1, program->files[i]);
    for (int i = 0; i < program->variable_count; i++) {
        print_variable(t, program->variables[i]);
        text_puts(t, ";\n");
    }
    /* declared before they are called, whatever the order */
    for (int i = 0; i < program->function_count; i++) {
        if (program->functions[i]->is_entry)
            continue;
        print_header(t, program->functions[i]);
        text_puts(t, ";\n");
    }
    for (int i = 0; i < program->function_count; i++)
        if (program->functions[i]->has_body && !program->functions[i]->is_entry)
            ptx_print_function(t, program->functions[i]);
    for (int i = 0; i < program->function_count; i++)
        if (program->functions[i]->is_entry && program->functions[i]->has_body)
            ptx_print_function(t, program->functions[i]);
}
