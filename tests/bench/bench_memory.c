/* How long a warp's access to memory or meeting takes, on one host thread.
 *
 *     gcc -O2 -std=gnu11 -Icommon tests/bench/bench_memory.c \
 *         build/libcommon.a -lm -ldl -pthread -ljansson -o build/bench_memory
 *     build/bench_memory [WORD]     only the cases with this word
 *
 * Each case is a loop of eight equal accesses in 8 blocks of 256 threads; the
 * time of an empty loop is taken off.  The best of several runs counts, in CPU
 * time, so that other work on the host does little harm. */
#include "base/text.h"
#include "sim/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIPS = 400, RUNS = 5, BYTES = 1 << 22, BLOCKS = 8, THREADS = 256 };

/* %t thread in the block, %i in the grid; addresses: %g global, %s shared (32
 * bits), %d shared (64 bits), each of element 0; rows of 4, 8, 16 bytes: %g4
 * %s4 ...; generic %x (global) and %y (shared). */
static const struct test {
    const char *name, *insn;
} tests[] = {
    {"nothing", ""},
    {"ld.shared.u32 row", "ld.shared.u32 %r8, [%s4+@]"},
    {"ld.shared.u32 uniform", "ld.shared.u32 %r8, [%s0+@]"},
    {"ld.shared.u32 stride 2", "ld.shared.u32 %r8, [%s8+@]"},
    {"ld.shared.u64 row", "ld.shared.u64 %q8, [%s8+@]"},
    {"ld.shared.v2.u32 row", "ld.shared.v2.u32 {%r8, %r9}, [%s8+@]"},
    {"ld.shared.v4.u32 row",
     "ld.shared.v4.u32 {%r8, %r9, %r10, %r11}, [%s16+@]"},
    {"ld.shared.u8 row", "ld.shared.u8 %r8, [%s1+@]"},
    {"st.shared.u32 row", "st.shared.u32 [%s4+@], %r8"},
    {"st.shared.u64 row", "st.shared.u64 [%s8+@], %q8"},
    {"st.shared.v4.u32 row",
     "st.shared.v4.u32 [%s16+@], {%r8, %r9, %r10, %r11}"},
    {"ld.global.u32 row", "ld.global.u32 %r8, [%g4+@]"},
    {"ld.global.u32 uniform", "ld.global.u32 %r8, [%g0+@]"},
    {"ld.global.u32 stride 2", "ld.global.u32 %r8, [%g8+@]"},
    {"ld.global.u64 row", "ld.global.u64 %q8, [%g8+@]"},
    {"ld.global.v4.u32 row",
     "ld.global.v4.u32 {%r8, %r9, %r10, %r11}, [%g16+@]"},
    {"ld.global.v2.u64 row", "ld.global.v2.u64 {%q8, %q9}, [%g16+@]"},
    {"ld.global.u8 row", "ld.global.u8 %r8, [%g1+@]"},
    {"st.global.u32 row", "st.global.u32 [%g4+@], %r8"},
    {"st.global.u64 row", "st.global.u64 [%g8+@], %q8"},
    {"st.global.v4.u32 row",
     "st.global.v4.u32 [%g16+@], {%r8, %r9, %r10, %r11}"},
    {"ld.const.u32 uniform", "ld.const.u32 %r8, [table+@]"},
    {"ld.const.u32 by register", "ld.const.u32 %r8, [%c0+@]"},
    {"ld.u32 row, global", "ld.u32 %r8, [%x4+@]"},
    {"ld.u32 row, shared", "ld.u32 %r8, [%y4+@]"},
    {"st.u32 row, shared", "st.u32 [%y4+@], %r8"},
    {"st.u32 row, global", "st.u32 [%x4+@], %r8"},
    {"ld.local.u32", "ld.local.u32 %r8, [own+@]"},
    {"st.local.u32", "st.local.u32 [own+@], %r8"},
    {"atom.shared.add one word", "atom.shared.add.u32 %r8, [%s0+@], 1"},
    {"atom.shared.add row", "atom.shared.add.u32 %r8, [%s4+@], 1"},
    {"red.shared.add row", "red.shared.add.u32 [%s4+@], 1"},
    {"red.global.add one word", "red.global.add.u32 [%g0+@], 1"},
    {"red.global.add row", "red.global.add.u32 [%g4+@], 1"},
    {"shfl.sync.down", "shfl.sync.down.b32 %r8, %r8, @, 31, -1"},
    {"shfl.sync.bfly", "shfl.sync.bfly.b32 %r8|%p1, %r8, @, 31, -1"},
    {"vote.sync.ballot", "vote.sync.ballot.b32 %r8, %p1, -1"},
    {"bar.warp.sync", "bar.warp.sync -1"},
    {"bar.sync", "bar.sync 0"},
};

static const char head[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".const .align 16 .b8 table[256];\n"
    ".visible .entry k(.param .u64 buffer)\n{\n"
    " .shared .align 16 .b8 pot[8192];\n .local .align 16 .b8 own[256];\n"
    " .reg .pred %p<2>;\n .reg .b32 %r<16>, %s0, %s1, %s4, %s8, %s16;\n"
    " .reg .b64 %q<16>, %g0, %g1, %g4, %g8, %g16, %x4, %y4, %c0;\n"
    " mov.u32 %r0, %tid.x;\n mov.u32 %r1, %ctaid.x;\n"
    " mad.lo.u32 %r2, %r1, 256, %r0;\n ld.param.u64 %g0, [buffer];\n"
    " mad.wide.u32 %g1, %r2, 1, %g0;\n mad.wide.u32 %g4, %r2, 4, %g0;\n"
    " mad.wide.u32 %g8, %r2, 8, %g0;\n mad.wide.u32 %g16, %r2, 16, %g0;\n"
    " mov.u32 %s0, pot;\n mad.lo.u32 %s1, %r0, 1, %s0;\n"
    " mad.lo.u32 %s4, %r0, 4, %s0;\n mad.lo.u32 %s8, %r0, 8, %s0;\n"
    " mad.lo.u32 %s16, %r0, 16, %s0;\n mov.u64 %q0, pot;\n"
    " cvta.shared.u64 %q1, %q0;\n mad.wide.u32 %y4, %r0, 4, %q1;\n"
    " mov.u64 %x4, %g4;\n mov.u64 %c0, table;\n mov.u32 %r8, 1;\n"
    " mov.u32 %r9, 1;\n mov.u32 %r10, 1;\n mov.u32 %r11, 1;\n"
    " mov.u64 %q8, 1;\n mov.u64 %q9, 1;\n mov.u32 %r4, 0;\nagain:\n";
static const char tail[] = " add.u32 %r4, %r4, 1;\n"
                           " setp.lt.u32 %p0, %r4, 400;\n"
                           " @%p0 bra again;\n ret;\n}\n";

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The text of a case: eight times the instruction, @ is the offset. */
static void write_case(struct text *t, const char *insn)
{
    text_puts(t, head);
    for (int k = 0; k < 8 && *insn; k++) {
        const char *at = strchr(insn, '@');
        if (at)
            text_printf(t, " %.*s%d%s;\n", (int)(at - insn), insn, 16 * k,
                        at + 1);
        else
            text_printf(t, " %s;\n", insn);
    }
    text_puts(t, tail);
}

static double time_case(const char *insn)
{
    struct text text = {0};
    struct error e;
    struct memory memory;
    double best = 1e9;
    write_case(&text, insn);
    struct ptx_program *program =
        ptx_load("bench.ptx", text.data, text.length, &e);
    memory_init(&memory);
    struct buffer *b = memory_add(&memory, "b", BYTES, BUFFER_DATA, &e);
    struct module *module = program ? module_load(program, &memory, &e) : NULL;
    for (int k = 0; module && k < RUNS; k++) {
        struct launch_result r;
        struct launch l = {.module = module,
                           .kernel = program->functions[0],
                           .grid = {BLOCKS, 1, 1},
                           .block = {THREADS, 1, 1},
                           .params = &b->address,
                           .params_bytes = 8,
                           .threads = 1};
        double start = cpu_seconds();
        if (!launch_run(&l, &r, &e) || r.stop != STOP_DONE)
            printf("%s: %s\n", insn, r.message);
        double took = cpu_seconds() - start;
        best = took < best ? took : best;
        launch_result_free(&r);
    }
    if (!module)
        printf("%s\n", e.text);
    else
        module_free(module);
    memory_clear(&memory);
    if (program)
        ptx_free(program);
    text_free(&text);
    return best;
}

int main(int argc, char **argv)
{
    double accesses = 8.0 * TRIPS * BLOCKS * THREADS / 32;
    double nothing = time_case("");
    for (size_t k = 1; k < sizeof tests / sizeof *tests; k++) {
        if (argc > 1 && !strstr(tests[k].name, argv[1]))
            continue;
        double took = time_case(tests[k].insn) - nothing;
        printf("%-28s %7.1f ns\n", tests[k].name, 1e9 * took / accesses);
    }
    return 0;
}
