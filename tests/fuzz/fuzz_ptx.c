/* Any bytes into the PTX front end: it must say no politely or load them, and
 * what it loaded must come back the same from its own printed form.
 *
 *     clang -g -O1 -std=gnu11 -Icommon -fsanitize=fuzzer,address,undefined \
 *         tests/fuzz/fuzz_ptx.c common/ptx/[a-z]*.c common/base/error.c \
 *         common/base/arena.c common/base/text.c -lm -o build/fuzz_ptx
 *     build/fuzz_ptx -dict=tests/fuzz/ptx.dict -max_total_time=300 \
 *         -rss_limit_mb=2048 build/corpus tests/fuzz/corpus
 *
 * With -DFUZZ_MAIN (and without the fuzzer) it is a program that takes files
 * by name: the regression test over tests/fuzz/corpus. */
#include "ptx/flow.h"
#include "ptx/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what, const char *detail)
{
    fprintf(stderr, "%s: %s\n", what, detail);
    abort();
}

/* Everything that reads a program must manage what ptx_load let through. */
static void use(const struct ptx_program *program)
{
    struct error e;
    char where[128];

    for (int i = 0; i < program->function_count; i++) {
        const struct ptx_function *f = program->functions[i];
        struct arena arena = {0};
        ptx_register_usage(&arena, f);
        arena_free(&arena);
        for (int j = 0; j < f->insn_count; j++) {
            ptx_where(f, &f->insns[j], where, sizeof where);
            if (f->insns[j].reconverge > f->insn_count)
                fail("bad reconvergence", where);
            if (j == 0)
                ptx_error_at(f, &f->insns[j], &e, "a test");
        }
    }
}

static void print_and_load(const struct ptx_program *program)
{
    struct text first = {0}, second = {0};
    struct error e;

    ptx_print(&first, program);
    struct ptx_program *again =
        ptx_load("printed.ptx", first.data, first.length, &e);
    if (!again)
        fail("the printed program does not load", e.text);
    ptx_print(&second, again);
    if (strcmp(first.data, second.data) != 0)
        fail("printed twice, different", second.data);
    ptx_free(again);
    text_free(&first);
    text_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = {""};
    struct ptx_program *program =
        ptx_load("fuzz.ptx", (const char *)data, size, &e);

    if (!program) {
        if (strncmp(e.text, "fuzz.ptx:", 9) != 0)
            fail("a message without its place", e.text);
        return 0;
    }
    use(program);
    print_and_load(program);
    ptx_free(program);
    return 0;
}

#ifdef FUZZ_MAIN
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct text text = {0};
        struct error e;
        if (!text_read_file(&text, argv[i], 64 << 20, &e))
            fail("no such input", e.text);
        LLVMFuzzerTestOneInput((const uint8_t *)(text.data ? text.data : ""),
                               text.length);
        text_free(&text);
    }
    return 0;
}
#endif
