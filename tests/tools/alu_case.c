/* Runs tables of single instructions.  Comes in: .alu files, a row each:
 *
 *     add.s32   rrr : 1 2 = 3
 *
 * the instruction; its operands, destination first (h b16, r b32, d b64, f
 * f32, g f64 registers, p a predicate, i an immediate); the sources; what
 * must come out.  Each row becomes a PTX kernel, which is parsed and run by
 * 40 threads: a full warp and a part of one.  Goes out: a line a wrong row,
 * and `N passed, M failed, K skipped`.
 *
 *     alu_case --print FILE    prints the kernels instead (`// expect` each)
 */
#include "base/text.h"
#include "sim/launch.h"
#include "tests/support/expression.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 40, OPERANDS = 6 };

struct row {
    const char *file;
    int line;
    char opcode[64], operands[8];
    char text[OPERANDS][40]; /* [0] the result, then the sources */
    uint64_t bits[OPERANDS];
    int count; /* operands with the destination */
};

static const struct value_type *type_of(char letter)
{
    static const char letters[] = "hrdfgpi";
    static const char *const names[] = {"u16", "u32", "u64", "f32",
                                        "f64", "u32", "s64"};
    const char *at = strchr(letters, letter);
    return at && letter ? value_type_find(names[at - letters]) : NULL;
}

static bool complain(const struct row *r, struct error *e, const char *what)
{
    return error_at(e, (struct place){r->file, r->line, 0, NULL}, "%s", what);
}

static bool read_row(struct row *r, char *line, struct error *e)
{
    char *sources = strchr(line, ':'), *result = strrchr(line, '=');
    if (!sources || !result || result < sources)
        return complain(r, e, "a row is: opcode operands : sources = result");
    *sources++ = *result++ = '\0';
    if (sscanf(line, " %63s %7s", r->opcode, r->operands) != 2)
        return complain(r, e, "an opcode and its operands must come first");
    r->count = (int)strlen(r->operands);
    sscanf(result, " %39s", r->text[0]);
    for (int k = 1; k < r->count && k < OPERANDS; k++) {
        int used = 0;
        if (sscanf(sources, " %39s%n", r->text[k], &used) != 1)
            return complain(r, e, "too few sources");
        sources += used;
    }
    for (int k = 0; k < r->count; k++) {
        const struct value_type *type = type_of(r->operands[k]);
        if (!type || !value_parse(r->text[k], 0, type, &r->bits[k]))
            return complain(r, e, "a value or an operand letter is unknown");
    }
    return true;
}

static const char *width_of(char letter)
{
    const struct value_type *type = type_of(letter);
    return type->bytes == 2 ? "b16" : type->bytes == 4 ? "b32" : "b64";
}

static void write_loads(struct text *t, const struct row *r)
{
    for (int k = 1; k < r->count; k++) {
        char letter = r->operands[k];
        if (letter == 'i')
            continue;
        text_printf(t, "    ld.param.%s %%s%d, [p%d];\n", width_of(letter), k,
                    k);
        if (letter == 'p')
            text_printf(t, "    setp.ne.u32 %%q%d, %%s%d, 0;\n", k, k);
    }
}

static void write_registers(struct text *t, const struct row *r)
{
    text_puts(t, "    .reg .b64 %out, %at;\n    .reg .b32 %lane;\n");
    for (int k = 0; k < r->count; k++) {
        text_printf(t, "    .reg .%s %%s%d;\n", width_of(r->operands[k]), k);
        if (r->operands[k] == 'p')
            text_printf(t, "    .reg .pred %%q%d;\n", k);
    }
}

/* The kernel of a row: out[tid] = opcode(sources). */
static void write_kernel(struct text *t, const struct row *r)
{
    text_puts(t, ".version 7.6\n.target sm_80\n.address_size 64\n"
                 ".visible .entry row(.param .u64 p0");
    for (int k = 1; k < r->count; k++)
        text_printf(t, ", .param .%s p%d", width_of(r->operands[k]), k);
    text_puts(t, ")\n{\n");
    write_registers(t, r);
    text_puts(t, "    ld.param.u64 %out, [p0];\n    mov.u32 %lane, %tid.x;\n"
                 "    mad.wide.u32 %at, %lane, 8, %out;\n");
    write_loads(t, r);
    text_printf(t, "    %s", r->opcode);
    for (int k = 0; k < r->count; k++) {
        const char *comma = k ? "," : "";
        if (r->operands[k] == 'i')
            text_printf(t, "%s %s", comma, r->text[k]);
        else
            text_printf(t, "%s %%%c%d", comma,
                        r->operands[k] == 'p' ? 'q' : 's', k);
    }
    text_puts(t, ";\n");
    if (r->operands[0] == 'p')
        text_puts(t, "    selp.b32 %s0, 1, 0, %q0;\n");
    text_printf(t, "    st.global.%s [%%at], %%s0;\n    ret;\n}\n",
                width_of(r->operands[0]));
}

static bool launch_row(const struct row *r, const struct ptx_program *program,
                       struct memory *memory, struct error *e)
{
    uint64_t params[OPERANDS] = {0}, want = r->bits[0];
    uint8_t bytes[64];
    size_t at = 8;
    struct module *module = module_load(program, memory, e);
    struct buffer *out = memory_add(memory, "out", 8 * THREADS, BUFFER_DATA, e);
    if (!module || !out)
        return false;
    memset(out->data, 0, 8 * THREADS);
    memcpy(bytes, &out->address, 8);
    for (int k = 1; k < r->count; k++) {
        size_t size = (size_t)type_of(r->operands[k])->bytes;
        params[k] = r->bits[k];
        at = (at + size - 1) / size * size;
        memcpy(bytes + at, &params[k], size);
        at += size;
    }
    struct launch launch = {
        .module = module,
        .kernel = ptx_find_function(program, "row"),
        .grid = {1, 1, 1},
        .block = {THREADS, 1, 1},
        .params = bytes,
        .params_bytes = at,
        .threads = 1,
        .budget = 10000,
    };
    struct launch_result result = {0};
    bool good = launch_run(&launch, &result, e);
    if (good && result.stop != STOP_DONE)
        good = error_set(e, "%s", result.message);
    for (int k = 0; good && k < THREADS; k++) {
        uint64_t got;
        memcpy(&got, out->data + 8 * k, 8);
        if (got != want)
            good = error_set(e, "thread %d got 0x%llx, expected 0x%llx", k,
                             (unsigned long long)got, (unsigned long long)want);
    }
    launch_result_free(&result);
    module_free(module);
    return good;
}

static bool run_row(struct row *r, char *line, bool is_print)
{
    struct error e = {{0}};
    struct text ptx = {0};
    struct memory memory;
    bool good = read_row(r, line, &e);
    if (!good) {
        printf("%s\n", e.text);
        return false;
    }
    write_kernel(&ptx, r);
    if (is_print) {
        printf("%s// expect 0x%llx\n", ptx.data,
               (unsigned long long)r->bits[0]);
        text_free(&ptx);
        return true;
    }
    memory_init(&memory);
    struct ptx_program *program = ptx_load("row", ptx.data, ptx.length, &e);
    good = program && launch_row(r, program, &memory, &e);
    if (program)
        ptx_free(program);
    if (!good)
        printf("%s:%d: %s: %s\n", r->file, r->line, r->opcode, e.text);
    memory_clear(&memory);
    text_free(&ptx);
    return good;
}

int main(int argc, char **argv)
{
    int count[2] = {0, 0}; /* failed, passed */
    bool is_print = argc > 1 && strcmp(argv[1], "--print") == 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int k = 1 + is_print; k < argc; k++) {
        char line[512];
        FILE *file = fopen(argv[k], "r");
        if (!file) {
            perror(argv[k]);
            return 2;
        }
        for (int n = 1; fgets(line, sizeof line, file); n++) {
            struct row r = {.file = argv[k], .line = n};
            char *comment = strchr(line, '#');
            if (comment)
                *comment = '\0';
            if (line[strspn(line, " \n")] == '\0')
                continue;
            alarm(20); /* a hang ends the program */
            count[run_row(&r, line, is_print)]++;
        }
        fclose(file);
    }
    if (!is_print)
        printf("%d passed, %d failed, 0 skipped\n", count[1], count[0]);
    return count[0] != 0;
}
