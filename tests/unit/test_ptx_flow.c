/* Where lanes meet again, what becomes of registers, and that a printed
 * program loads as the same one. */
#include "ptx/flow.h"
#include "ptx/print.h"
#include "tests/unit/ptx_text.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- reconvergence -------------------------------------------------------- */

/* Bodies without the ret that KERNEL adds; `meet` has one number for every
 * bra and brx in order.  -1 stands for the end of the function. */
static const struct {
    const char *what, *body;
    int meet[8];
} flows[] = {
    {"if", "@%p1 bra L; add.s32 %r1, %r1, 1; L: ret;", {2}},
    {"if else",
     "@%p1 bra E; add.s32 %r1, %r1, 1; bra J; E: add.s32 %r1, %r1, 2; "
     "J: ret;",
     {4, 4}},
    {"loop", "L: add.s32 %r1, %r1, 1; @%p1 bra L; ret;", {2}},
    {"while", "L: @%p1 bra X; add.s32 %r1, %r1, 1; bra L; X: ret;", {3, 0}},
    {"break in a loop", "L: @%p1 bra X; @%p2 bra X; bra L; X: ret;", {3, 3, 0}},
    {"continue in a loop",
     "L: @%p1 bra C; add.s32 %r1, %r1, 1; C: @%p2 bra L; ret;",
     {2, 3}},
    {"loop in a loop",
     "O: add.s32 %r1, %r1, 1; I: @%p1 bra I; @%p2 bra O; ret;",
     {2, 3}},
    {"if in an if",
     "@%p1 bra E; @%p2 bra J; add.s32 %r1, %r1, 1; J: add.s32 %r1, %r1, 2; "
     "E: ret;",
     {4, 3}},
    {"two ways out", "@%p1 bra L; ret; L: ret;", {-1}},
    {"a guarded exit is a way on",
     "@%p1 exit; @%p2 bra L; add.s32 %r1, %r1, 1; L: ret;",
     {3}},
    {"return inside the if",
     "@%p1 bra L; @%p2 ret; add.s32 %r1, %r1, 1; L: ret;",
     {3}},
    {"irreducible: two ways into a loop",
     "@%p1 bra B; A: add.s32 %r1, %r1, 1; B: @%p2 bra A; ret;",
     {2, 3}},
    {"irreducible: two blocks that jump to each other",
     "@%p1 bra B; A: @%p2 bra X; B: @%p3 bra A; X: ret;",
     {3, 3, 3}},
    {"endless loop", "L: add.s32 %r1, %r1, 1; bra L;", {0}},
    {"if in an endless loop",
     "L: @%p1 bra M; add.s32 %r1, %r1, 1; M: bra L;",
     {2, 0}},
    {"endless loop on one side",
     "@%p1 bra L; ret; L: add.s32 %r1, %r1, 1; bra L;",
     {-1, 2}},
    {"if in an endless loop that ends where it is entered",
     "bra H; B: bar.sync 0; H: @%p1 bra B; add.s32 %r1, %r1, 1; bra B;",
     {2, 1, 1}},
    {"two ways back in an endless loop",
     "L: @%p1 bra L; add.s32 %r1, %r1, 1; bra L;",
     {0, 0}},
    {"two endless loops",
     "@%p1 bra B; A: add.s32 %r1, %r1, 1; bra A; B: add.s32 %r1, %r1, 1; "
     "bra B;",
     {-1, 1, 3}},
    {"endless loop that leads to another",
     "O: @%p1 bra I; bra O; I: @%p2 bra J; add.s32 %r1, %r1, 1; J: bra I;",
     {2, 0, 4, 2}},
    {"code nobody reaches",
     "bra X; @%p1 bra X; add.s32 %r1, %r1, 1; X: ret;",
     {3, 3}},
    {"jump to the next", "@%p1 bra L; L: ret;", {1}},
    {"jump to the end", "@%p1 bra E; ret; E:", {-1}},
    {"jump to itself", "L: @%p1 bra L; ret;", {1}},
    {"trap", "@%p1 bra L; trap; L: ret;", {-1}},
    {"indexed",
     "T: .branchtargets A, B, C; brx.idx %r1, T; A: add.s32 %r1, %r1, 1; "
     "bra C; B: add.s32 %r1, %r1, 1; C: ret;",
     {4, 4}},
};

static struct ptx_program *load_body(const char *body)
{
    struct text text = {0};

    text_puts(&text, KERNEL_BEGIN);
    text_puts(&text, body);
    text_puts(&text, "\n}\n");
    struct ptx_program *program = load(text.data);
    text_free(&text);
    return program;
}

START_TEST(lanes_meet)
{
    struct ptx_program *p = load_body(flows[_i].body);
    const struct ptx_function *f = p->functions[0];
    int branch = 0;

    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        if (insn->op != OP_BRA && insn->op != OP_BRX) {
            ck_assert_int_eq(insn->reconverge, -1);
            continue;
        }
        int meet = flows[_i].meet[branch++];
        ck_assert_msg(insn->reconverge == (meet < 0 ? f->insn_count : meet),
                      "%s: instruction %d meets at %d", flows[_i].what, i,
                      insn->reconverge);
    }
    ptx_free(p);
}
END_TEST

/* Whether `to` is passed on every way from `from` to the end: by definition,
 * walking all ways around it.  Lanes that a guarded ret ends count no more. */
static bool avoids(const struct ptx_function *f, int from, int to, char *seen)
{
    bool found = false;

    if (from == to)
        return false;
    if (from == f->insn_count)
        return true;
    if (seen[from])
        return false;
    seen[from] = 1;
    const struct ptx_insn *insn = &f->insns[from];
    if (insn->op == OP_BRA)
        found = avoids(f, insn->operand[0].target, to, seen);
    if (insn->op == OP_RET && insn->guard < 0)
        found = f->insn_count != to;
    if (insn->guard >= 0 || (insn->op != OP_BRA && insn->op != OP_RET))
        found = avoids(f, from + 1, to, seen) || found;
    return found;
}

static bool postdominates(const struct ptx_function *f, int to, int from)
{
    char seen[64] = {0};
    return !avoids(f, from, to, seen);
}

/* Random graphs, with a ret at the end that all can reach: the meeting place
 * postdominates the branch, and no nearer one does. */
START_TEST(random_flow_against_the_definition)
{
    srand((unsigned)_i);
    struct text body = {0};
    int count = 3 + rand() % 30;

    for (int i = 0; i < count; i++) {
        text_printf(&body, "L%d: ", i);
        if (rand() % 2)
            text_printf(&body, "@%%p%d bra L%d;\n", i % 9,
                        rand() % (count + 1));
        else if (rand() % 8 == 0)
            text_printf(&body, "@%%p1 ret;\n");
        else
            text_printf(&body, "add.s32 %%r1, %%r1, 1;\n");
    }
    text_printf(&body, "L%d: ret;", count);
    struct ptx_program *p = load_body(body.data);
    const struct ptx_function *f = p->functions[0];
    for (int i = 0; i < f->insn_count; i++) {
        int meet = f->insns[i].reconverge;
        if (f->insns[i].op != OP_BRA)
            continue;
        ck_assert_msg(postdominates(f, meet, i), "%s\n%d", body.data, i);
        for (int k = 0; k <= f->insn_count; k++)
            if (k != i && k != meet && postdominates(f, k, i))
                ck_assert_msg(postdominates(f, k, meet), "%s\n%d: %d, not %d",
                              body.data, i, k, meet);
    }
    text_free(&body);
    ptx_free(p);
}
END_TEST

/* ---- registers --------------------------------------------------------------- */

/* `unset`: "instruction:register ..." in order; `unused`: instructions. */
static const struct {
    const char *body, *unset, *unused;
} usages[] = {
    {"mov.b32 %r1, 1; st.global.b32 [8], %r1; ret;", "", ""},
    {"st.global.b32 [8], %r1; ret;", "0:%r1", ""},
    {"ld.global.b32 %r1, [%rd1]; ret;", "0:%rd1", "0"},
    {"st.global.b32 [%rd1], 1; ret;", "0:%rd1", ""},
    {"mov.b32 %r1, 1; mov.b32 %r1, 2; st.global.b32 [8], %r1; ret;", "", "0"},
    {"atom.global.add.f32 %f1, [8], 0f00000000; ret;", "", "0"},
    {"atom.global.add.f32 %f1, [8], 0f00000000; st.global.f32 [8], %f1; ret;",
     "", ""},
    {"atom.global.add.f32 _, [8], 0f00000000; ret;", "", ""},
    /* a way around the write */
    {"setp.eq.s32 %p1, 1, 2; @%p1 bra L; mov.b32 %r1, 1; "
     "L: st.global.b32 [8], %r1; ret;",
     "3:%r1", ""},
    /* both ways write */
    {"setp.eq.s32 %p1, 1, 2; @%p1 bra L; mov.b32 %r1, 1; bra J; "
     "L: mov.b32 %r1, 2; J: st.global.b32 [8], %r1; ret;",
     "", ""},
    /* in a loop: unset the first time */
    {"L: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 9; @%p1 bra L; ret;",
     "0:%r1", ""},
    {"mov.b32 %r1, 0; L: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 9; "
     "@%p1 bra L; ret;",
     "", ""},
    {"L: mov.b32 %r1, 1; bra L;", "", "0"},
    /* the same guard */
    {"setp.eq.s32 %p1, 1, 2; @%p1 mov.b32 %r1, 1; "
     "@%p1 st.global.b32 [8], %r1; ret;",
     "", ""},
    {"setp.eq.s32 %p1, 1, 2; @%p1 mov.b32 %r1, 1; "
     "@!%p1 st.global.b32 [8], %r1; ret;",
     "2:%r1", ""},
    {"setp.eq.s32 %p1, 1, 2; @%p1 mov.b32 %r1, 1; setp.eq.s32 %p1, 1, 1; "
     "@%p1 st.global.b32 [8], %r1; ret;",
     "3:%r1", ""},
    {"setp.eq.s32 %p1, 1, 2; @%p1 mov.b32 %r1, 1; @!%p1 mov.b32 %r1, 2; "
     "st.global.b32 [8], %r1; ret;",
     "", ""},
    {"setp.eq.s32 %p1, 1, 2; @%p1 mov.b32 %r1, 1; st.global.b32 [8], %r1; "
     "ret;",
     "2:%r1", ""},
    {"@%p1 mov.b32 %r1, 1; ret;", "0:%p1", "0"},
    /* vectors, second results, calls */
    {"mov.b64 {%r1,%r2}, 5; st.global.b32 [8], %r2; ret;", "", ""},
    {"mov.b64 {%r1,_}, 5; ret;", "", "0"},
    {"shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1; @%p1 bra L; L: ret;", "0:%r2",
     ""},
    {".param .b32 q; call %rd1, (%r3); ret;", "0:%rd1 0:%r3", ""},
    /* nobody comes here */
    {"ret; st.global.b32 [8], %r1; ret;", "", ""},
};

static int by_place(const void *a, const void *b)
{
    const struct ptx_use *x = a, *y = b;
    return x->insn != y->insn ? x->insn - y->insn : x->reg - y->reg;
}

START_TEST(registers_are_followed)
{
    struct ptx_program *p = load_body(usages[_i].body);
    const struct ptx_function *f = p->functions[0];
    struct arena arena = {0};
    struct text unset = {0}, unused = {0};
    struct ptx_usage u = ptx_register_usage(&arena, f);

    qsort(u.unset, (size_t)u.unset_count, sizeof *u.unset, by_place);
    text_puts(&unset, "");
    for (int i = 0; i < u.unset_count; i++)
        text_printf(&unset, "%s%d:%s", i ? " " : "", u.unset[i].insn,
                    f->registers[u.unset[i].reg].name);
    text_puts(&unused, "");
    for (int i = 0; i < f->insn_count; i++)
        if (u.result_unused[i])
            text_printf(&unused, "%s%d", unused.length ? " " : "", i);
    ck_assert_msg(strcmp(unset.data, usages[_i].unset) == 0, "%s: unset %s",
                  usages[_i].body, unset.data);
    ck_assert_msg(strcmp(unused.data, usages[_i].unused) == 0, "%s: unused %s",
                  usages[_i].body, unused.data);
    text_free(&unset);
    text_free(&unused);
    arena_free(&arena);
    ptx_free(p);
}
END_TEST

/* More than 64 registers: every group is looked at. */
START_TEST(many_registers)
{
    struct text body = {0};
    struct arena arena = {0};

    text_puts(&body, ".reg .b32 %z<1000>;\n");
    for (int i = 0; i < 1000; i += 2)
        text_printf(&body, "add.s32 %%z%d, %%z%d, 1;\n", i, i + 1);
    text_puts(&body, "ret;");
    struct ptx_program *p = load_body(body.data);
    struct ptx_usage u = ptx_register_usage(&arena, p->functions[0]);
    ck_assert_int_eq(u.unset_count, 500);
    for (int i = 0; i < 500; i++)
        ck_assert(u.result_unused[i]);
    ck_assert(!u.result_unused[500]);
    arena_free(&arena);
    text_free(&body);
    ptx_free(p);
}
END_TEST

/* ---- printing ------------------------------------------------------------------ */

START_TEST(printed_program_loads_again)
{
    struct ptx_program *p = load(
        HEAD ".extern .shared .align 16 .b8 dyn[];\n"
             ".global .align 8 .b8 e[10] = {7, 0xFF(dyn), 0xFF00(dyn), "
             "0xFF0000(dyn), 0xFF000000(dyn), 0xFF00000000(dyn), "
             "0xFF0000000000(dyn), 0xFF000000000000(dyn), "
             "0xFF00000000000000(dyn), 9};\n"
             ".global .b64 d[3] = {e, generic(e)+4, f};\n"
             ".const .f16 c[2] = {1.5, -0.0000001};\n"
             ".func (.param .b32 r) f(.param .b32 x) { ret; }\n"
             ".entry k(.param .u64 a) .reqntid 32 {\n"
             ".reg .b32 %r<5>; .reg .pred %p;\n .loc 1 4 0\n"
             "{ .reg .b32 %q; .param .b32 b; .param .b32 y; mov.b32 %q, 1;\n"
             "call (y), f, (b); ld.param.b32 %q, [y]; }\n"
             "{ .reg .b16 %q; mov.b16 %q, 1; }\n"
             "T: .branchtargets A, B; brx.idx %r1, T;\n.loc 1 5 0\n"
             "A: @!%p bra B; B: }\n.file 1 \"x.cu\"\n");
    struct text first = {0}, second = {0};

    ptx_print(&first, p);
    struct ptx_program *again = load(first.data);
    ptx_print(&second, again);
    ck_assert_str_eq(first.data, second.data);
    ck_assert_ptr_nonnull(strstr(first.data, "x.cu:5, meet at 6\n"));
    text_free(&first);
    text_free(&second);
    ptx_free(p);
    ptx_free(again);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_flow");
    TCase *all = tcase_create("flow");

    tcase_add_loop_test(all, lanes_meet, 0, sizeof flows / sizeof flows[0]);
    tcase_add_loop_test(all, random_flow_against_the_definition, 0, 300);
    tcase_add_loop_test(all, registers_are_followed, 0,
                        sizeof usages / sizeof usages[0]);
    tcase_add_test(all, many_registers);
    tcase_add_test(all, printed_program_loads_again);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
