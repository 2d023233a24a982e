/* Naming places of a program in messages. */
#include "ptx/program.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct ptx_function *ptx_find_function(const struct ptx_program *program,
                                       const char *name)
{
    for (int i = 0; i < program->function_count; i++)
        if (strcmp(program->functions[i]->name, name) == 0)
            return program->functions[i];
    return NULL;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *ptx_where(const struct ptx_function *f, const struct ptx_insn *insn,
                      char *buffer, size_t size)
{
    const struct ptx_program *program = f->program;

    if (insn->line > 0 && insn->file >= 0)
        snprintf(buffer, size, "%s:%d", base_name(program->files[insn->file]),
                 insn->line);
    else
        snprintf(buffer, size, "%s:%d", base_name(program->name),
                 insn->ptx_line);
    return buffer;
}

/* A literal among template arguments, "Lj512E"; 0 if there is none. */
static size_t literal_length(const char *p)
{
    if (p[0] != 'L' || !islower((unsigned char)p[1]))
        return 0;
    size_t digits = strspn(p + 2, "n0123456789");
    return digits && p[2 + digits] == 'E' ? digits + 3 : 0;
}

/* "_ZZ6reduceE9warp_sums" is a static variable inside a function,
 * "_ZN..4nameE" one in a namespace: the last length-name pair counts. */
const char *ptx_source_name(const char *symbol, int *length)
{
    const char *name = symbol;
    *length = (int)strlen(symbol);
    if (strncmp(symbol, "_Z", 2) != 0)
        return name;
    for (const char *p = symbol + 2; *p;) {
        size_t size = 0;
        if (!isdigit((unsigned char)*p)) {
            size = literal_length(p);
            p += size ? size : 1;
            continue;
        }
        while (isdigit((unsigned char)*p) && size < 1000)
            size = 10 * size + (size_t)(*p++ - '0');
        if (!size || strlen(p) < size)
            continue;
        name = p;
        *length = (int)size;
        p += size;
    }
    return name;
}

/* The start of a line of the text, counted from 1. */
static const char *find_line(const struct ptx_program *program, int line)
{
    const char *at = program->text, *end = at + program->length;

    for (int i = 1; i < line; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline)
            return NULL;
        at = newline + 1;
    }
    return at;
}

bool ptx_error_at(const struct ptx_function *f, const struct ptx_insn *insn,
                  struct error *e, const char *format, ...)
{
    char message[512];
    va_list args;
    const struct ptx_program *program = f->program;
    struct place at = {program->name, insn->ptx_line, 0, NULL};

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    at.source_line = find_line(program, insn->ptx_line);
    if (at.source_line)
        at.column = (int)strspn(at.source_line, " \t") + 1;
    error_at(e, at, "%s", message);
    size_t used = strlen(e->text);
    if (insn->line > 0 && insn->file >= 0)
        snprintf(e->text + used, sizeof e->text - used, "\n    from %s:%d",
                 program->files[insn->file], insn->line);
    return false;
}
