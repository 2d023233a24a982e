/* What we think ptxas makes of a PTX file, an instruction a line:
 *
 *   sass_table FILE.ptx
 *
 * cost, j jump, e ends a thread, m lanes meet, >N predicated with number N. */
#include "base/text.h"
#include "ptx/print.h"
#include "watch/sass.h"

#include <stdio.h>
#include <string.h>

/* The instruction as the file has it. */
static void print_source(const struct ptx_program *p, int line)
{
    const char *at = p->text;
    for (int k = 1; k < line && at; k++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (at)
        printf("%.*s\n", (int)strcspn(at, "\n"), at);
}

static void print_function(const struct ptx_function *f)
{
    struct arena arena = {NULL};
    const struct sass_insn *s = sass_estimate(&arena, f);
    int total = 0;
    printf("%s\n", f->name);
    for (int k = 0; k < f->insn_count; k++) {
        char with[16] = "";
        if (s[k].with >= 0)
            snprintf(with, sizeof with, ">%d", s[k].with);
        printf("%4d %3d%s%s%s%s %-5s", k, s[k].cost, s[k].is_jump ? "j" : " ",
               s[k].is_exit ? "x" : " ", s[k].is_end ? "e" : " ",
               s[k].is_meeting ? "m" : " ", with);
        print_source(f->program, f->insns[k].ptx_line);
        total += s[k].cost + s[k].is_jump;
    }
    printf("%4d in all\n", total);
    arena_free(&arena);
}

int main(int argc, char **argv)
{
    struct error e;
    struct text text = {0};
    struct ptx_program *p = NULL;
    if (argc == 2 && text_read_file(&text, argv[1], 1 << 24, &e))
        p = ptx_load(argv[1], text.data, text.length, &e);
    if (!p) {
        fprintf(stderr, "%s\n", argc == 2 ? e.text : "usage: sass_table FILE");
        return 2;
    }
    for (int k = 0; k < p->function_count; k++)
        if (p->functions[k]->has_body)
            print_function(p->functions[k]);
    ptx_free(p);
    text_free(&text);
    return 0;
}
