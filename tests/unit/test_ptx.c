/* What the PTX front end must refuse, and with which words.  What it must
 * take: test_ptx_decode.c; branches, registers: test_ptx_flow.c. */
#include "tests/unit/ptx_text.h"

#include <stdlib.h>

/* ---- what is refused ------------------------------------------------------ */

static const struct {
    const char *text;
    const char *message; /* a part of it; the place is always in it */
} bad[] = {
    {"", "t.ptx:1:1: error: there is no PTX here"},
    {"\n\n  ", "3:3: error: there is no PTX here"},
    {"hello", "1:1: error: this is not PTX"},
    {"\x7f"
     "ELF\x02\x01",
     "1:1: error: this character cannot stand in PTX"},
    {".version x", "a version such as 8.4"},
    {HEAD "/* never", "4:1: error: this comment is never closed"},
    {HEAD ".file 1 \"abc", "4:9: error: this string is never closed"},
    {HEAD "x", "a directive must stand here, not 'x'"},
    {HEAD ".texref t;", "unknown directive '.texref'"},
    {".version 7.0\n.address_size 32\n", "2:15: error: only 64-bit"},
    {HEAD ".section .debug {{", "'}' is missing before the end of the text"},

    /* declarations */
    {HEAD ".global .b8 x[3] = {1,2,3,4};", "too many values for 'x'"},
    {HEAD ".global .b8 x[2][2] = {{1,2,3}};", "too many values in this row"},
    {HEAD ".global .b8 x[2] = {{{{1}}}};", "more braces than dimensions"},
    {HEAD ".global .b8 x[99999999999999];", "'x' is too large"},
    {HEAD ".global .b64 x[4294967296][4294967296];", "'x' is too large"},
    {HEAD ".global .b32 x; .global .b32 x;", "'x' is declared twice"},
    {HEAD ".global .b32 x[];", "the size of 'x' is missing"},
    {HEAD ".global .align 3 .b32 x;", "a power of two"},
    {HEAD ".global x;", "a type must stand before this name"},
    {HEAD ".global .pred x;", "a type must stand before this name"},
    {HEAD ".global .b64 x = y;", "4:18: error: unknown variable 'y'"},
    {HEAD ".global .b32 x = x;", "an address needs a 64-bit type"},
    {HEAD ".shared .b32 x = 5;", "only .global and .const"},
    {HEAD ".global .f32 x = 5;", "a float must stand here"},
    {HEAD ".global .u32 x = 1.5;", "a float cannot stand here"},
    {HEAD ".global .b8 x[8] = {0xFF(x), 0xFF00(x)};", "ends in the middle"},
    {HEAD ".global .b8 x[8] = {0xFF00(x)};", "lowest first"},
    {HEAD ".local .b32 x;", "cannot stand outside a function"},
    {HEAD ".global .b8 x[1000000000] = {1};", "more than 64 MiB"},
    {HEAD ".alias a, b;", "unknown function 'a'"},
    {HEAD ".entry k() {} .entry k() {}", "'k' is declared twice"},
    {HEAD ".entry k(.param .u64 a, .param .u64 a) {}", "'a' is declared twice"},
    {HEAD ".entry k(.reg .u64 a) {}", "a parameter must begin with .param"},
    {HEAD ".entry k() .fast {}", "unknown directive '.fast'"},
    {HEAD ".entry k() .maxntid 0 {}", "a block size must be"},
    {HEAD ".entry k() { ret;", "4:12: error: this { is never closed"},
    {HEAD ".entry k()", "'{' is missing before the end of the text"},
    {KERNEL(".reg .v4 .f32 %v;"), "vector registers are not supported"},
    {KERNEL(".reg .b32 %x, %x;"), "6:15: error: '%x' is declared twice"},
    {KERNEL(".reg .b32 %r<9>;"), "'%r<' is declared twice"},
    {KERNEL(".reg .b32 %z<99999999999>;"), "too many registers"},
    {KERNEL(".reg %x;"), "the type of the registers"},

    /* names */
    {KERNEL("sub.s32 %r1, %r2, %r9;"), "6:19: error: unknown register '%r9'"},
    {KERNEL("sub.s32 %r1, %r2, %r01;"), "unknown register '%r01'"},
    {KERNEL("mov.u32 %r1, %tid.w;"), "did you mean '%tid.x'?"},
    {KERNEL("mov.u32 %r1, %lanied;"), "did you mean '%laneid'?"},
    {KERNEL("mov.u32 %r1, %envreg77;"), "unknown register '%envreg77'"},
    {KERNEL("mov.u64 %rd1, nothing;"), "unknown name 'nothing'"},
    {KERNEL("@%r1 ret;"), "'%r1' is no predicate: it was declared .b32"},
    {KERNEL("@%p10 ret;"), "6:2: error: unknown register '%p10'"},
    {KERNEL("{ .reg .b32 %x; } mov.b32 %x, 1;"), "unknown register '%x'"},
    {KERNEL("bra L1;"), "6:5: error: there is no label 'L1'"},
    {KERNEL("{ L1: } bra L1;"), "there is no label 'L1'"},
    {KERNEL("L1: L1:"), "'L1' is declared twice"},
    {KERNEL("bra %r1;"), "there is no label '%r1'"},
    {KERNEL("brx.idx %r1, L2;"), "there is no .branchtargets list 'L2'"},
    {KERNEL("L2: .branchtargets L3; brx.idx %r1, L2;"), "no label 'L3'"},
    {KERNEL("call nothing;"), "unknown name 'nothing'"},
    {KERNEL("call k, (%rd1);"), "a kernel cannot be called"},
    {KERNEL("call %r1, ();"), "64-bit register"},
    {HEAD ".func f(.param .b32 x) {} .entry k() { call f; }",
     "'f' takes 1 arguments, not 0"},
    {HEAD ".func f() {} .entry k() { .param .b32 r; call (r), f; }",
     "'f' gives 0 results, not 1"},

    {HEAD ".func f(.param .b32 x); .func f(.param .b64 x) {}",
     "'f' was declared with other parameters"},
    {HEAD ".func f(); .entry f() {}", "declared with other parameters"},
    {HEAD ".func f(.param .b32 x); .entry k() { .param .b64 y; call f, (y); }",
     "parameter 1 has 4 bytes, but 8 are passed"},
    {KERNEL("ld.param.u64 %rd1, [a+4];"), "this lies outside of 'a'"},
    {KERNEL("ld.param.u64 %rd1, [a+-8];"), "this lies outside of 'a'"},

    /* instructions and modifiers */
    {KERNEL("ad.s32 %r1, %r2, 1;"), "6:1: error: unknown instruction 'ad'"},
    {KERNEL("flaor.s32 %r1;"), "unknown instruction 'flaor'"},
    {KERNEL("mvo.u32 %r1, 1;"), "did you mean 'mov'?"},
    {KERNEL("add.u23 %r1, %r2, 1;"), "'add' does not take '.u23'"},
    {KERNEL("add.u23 %r1, %r2, 1;"), "did you mean '.u32'?"},
    {KERNEL("add.b32 %r1, %r2, 1;"), "'add' does not work on type '.b32'"},
    {KERNEL("add.u8 %r1, %r2, 1;"), "'add' does not work on type '.u8'"},
    {KERNEL("add %r1, %r2, 1;"), "'add' needs a type"},
    {KERNEL("add.s32.s32 %r1, %r2, 1;"), "'add' needs one type only"},
    {KERNEL("mul.s32 %r1, %r2, 1;"), "one of .lo, .hi and .wide"},
    {KERNEL("mul.wide.s64 %rd1, %rd2, 1;"), "a 16- or 32-bit type for .wide"},
    {KERNEL("mul.lo.f32 %f1, %f2, %f3;"), "no .lo, .hi or .wide for floats"},
    {KERNEL("div.f32 %f1, %f2, %f3;"), "'div' needs one of .approx"},
    {KERNEL("fma.f32 %f1, %f2, %f3, %f4;"), "'fma' needs one of .rn"},
    {KERNEL("ex2.f32 %f1, %f2;"), "'ex2' needs .approx"},
    {KERNEL("add.rn.rz.f32 %f1, %f2, %f3;"),
     "'.rz' does not go with what stands before it"},
    {KERNEL("setp.f32 %p1, %f1, %f2;"), "a comparison such as .lt"},
    {KERNEL("cvt.u32 %r1, %r2;"), "two types"},
    {KERNEL("cvt.s32.f32 %r1, %f2;"), "one of .rni"},
    {KERNEL("cvt.f32.s32 %f1, %r2;"), "to get a float"},
    {KERNEL("cvt.f32.f64 %f1, %fd2;"), "to get a shorter float"},
    {KERNEL("cvta.u64 %rd1, %rd2;"), "a state space"},
    {KERNEL("ld.global %r1, [%rd1];"), "a type"},
    {KERNEL("st.const.b32 [%rd1], %r1;"), "'st' does not take '.const'"},
    {KERNEL("ld.v3.b32 %r1, [%rd1];"), "'ld' does not take '.v3'"},
    {KERNEL("atom.global.u32 %r1, [%rd1], 1;"), "an operation such as .add"},
    {KERNEL("atom.global.add.pred %p1, [%rd1], 1;"), "type '.pred'"},
    {KERNEL("shfl.sync.b32 %r1, %r2, 1, 31, -1;"), "one of .up"},
    {KERNEL("shf.l.b32 %r1, %r2, %r3, 4;"), "one of .wrap and .clamp"},
    {KERNEL("vote.sync.ballot.pred %p1, %p2, -1;"), ".b32 for .ballot"},
    {KERNEL("bar 0;"), "one of .sync, .arrive and .red"},
    {KERNEL("bar.red.and.u32 %p1, 0, %p2;"), "one of .popc.u32"},
    {KERNEL("bar.sync.and.pred %p1, 0, %p2;"), ".red to compute something"},
    {KERNEL("membar;"), "one of .cta, .gl and .sys"},
    {KERNEL("cp.async.shared.global [%r1], [%rd1], 16;"), "one of .ca"},
    {KERNEL("testp.f32 %p1, %f1;"), "a property such as .finite"},

    /* operands */
    {KERNEL("add.s32 %r1, %r2;"), "'add' needs more operands"},
    {KERNEL("add.s32 %r1, %r2, 3, 4;"), "6:22: error: one operand too many"},
    {KERNEL("add.s32 1, %r2, 3;"), "a register for the result"},
    {KERNEL("add.s32 %r1, [%rd1], 3;"), "a register or a number"},
    {KERNEL("add.s32 %r1, !%r2, 3;"), "only a predicate can have a !"},
    {KERNEL("add.s32 %r1|%p1, %r2, 3;"), "'add' has one result only"},
    {KERNEL("add.s32 %r1, %r2, 1.5;"), "a float cannot stand here"},
    {KERNEL("add.f32 %f1, %f2, 1;"), "a float must stand here"},
    {KERNEL("add.s32 %r1, %rd2, 1;"),
     "'%rd2' was declared .b64, but 'add' needs .s32 here"},
    {KERNEL("add.f32 %f1, %f2, %fd1;"), "'%fd1' was declared .f64"},
    {KERNEL("add.s32 %f1, %r2, 1;"), "'%f1' was declared .f32"},
    {KERNEL("add.f64 %fd1, %rd1, %f1;"), "'%f1' was declared .f32"},
    {KERNEL("mov.pred %r1, %p1;"), "'%r1' was declared .b32"},
    {KERNEL("selp.b32 %r1, %r2, %r3, %r4;"), "needs .pred"},
    {KERNEL("ld.global.f32 %rd1, [%f1];"), "needs a 64-bit register"},
    {KERNEL("ld.global.b32 %r1, [%r2];"), "needs a 64-bit register"},
    {KERNEL("ld.global.b64 %r1, [%rd2];"), "'%r1' was declared .b32"},
    {KERNEL("ld.global.b32 %r1, %rd2;"), "an address in brackets"},
    {KERNEL("ld.global.b32 %r1, [sh];"), "'sh' does not lie in that space"},
    {KERNEL("ld.b32 %r1, [sh];"), "'sh' is no global variable"},
    {KERNEL("ld.global.b32 %r1, [1.5];"), "must be a whole number"},
    {KERNEL("ld.global.b32 %r1, [%rd1;"), "']' is missing before ';'"},
    {KERNEL("ld.global.v2.b32 %r1, [%rd1];"), "a vector of 2 elements"},
    {KERNEL("ld.global.v2.b32 {%r1,%r2,%r3}, [%rd1];"), "vector of 2"},
    {KERNEL("ld.global.v2.b32 {%r1,%h2}, [%rd1];"), "'%h2' was declared"},
    {KERNEL("ld.global.v8.b64 {%rd1,%rd1,%rd1,%rd1,%rd1,%rd1,%rd1,%rd1}, "
            "[%rd1];"),
     "32 bytes at most"},
    {KERNEL("mov.b64 {%r1,%r2,%r3}, %rd1;"), "in 2 or 4 parts"},
    {KERNEL("mov.b64 {%rd1,%rd2}, %rd1;"), "'%rd1' was declared .b64"},
    {KERNEL("mov.b64 {%r1,%r2}, {%r3,%r4};"), "only one side"},
    {KERNEL("mov.u32 %r1, g;"), "an address needs a 64-bit type"},
    {KERNEL("mov.u32 %r1, %clock64;"), "'%clock64' is .u64"},
    {KERNEL("cvta.shared.u64 %rd1, g;"), "'g' does not lie in that space"},
    {KERNEL("add.s32 %r1, {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8,%r1}, 1;"),
     "too many elements"},
    {KERNEL("add.s32 %r1, %r2, 1"), "7:1: error: ';' is missing before 'ret'"},
    {KERNEL("add.s32 %r1 %r2, 1;"), "';' is missing before '%r2'"},
    {KERNEL("add.s32 %r1, %r2, 0x12345678123456789;"), "does not fit 64 bits"},
    {KERNEL("add.s32 %r1, %r2, 08;"), "this is not a number"},
    {KERNEL("add.s32 %r1, %r2, 12ab;"), "this is not a number"},
    {KERNEL("mov.f32 %f1, 0f3F80;"), "exactly 8 hexadecimal digits"},
    {KERNEL("mov.f64 %fd1, 0d3F800000;"), "exactly 16 hexadecimal digits"},
    {KERNEL("mov.b32 %r1, 0x;"), "digits are missing"},
    {KERNEL("mov.b32 %r1, \x01;"), "6:14: error: this character"},
    {KERNEL(".loc 1 2"), "a column must stand here"},
    {KERNEL(".loc 1 2 3, inlined_by 1 2 3"), "function_name or inlined_at"},
};

START_TEST(bad_text_is_refused)
{
    struct error e = {""};
    struct ptx_program *program =
        ptx_load("dir/t.ptx", bad[_i].text, strlen(bad[_i].text), &e);

    ck_assert_msg(!program, "taken: %s", bad[_i].text);
    ck_assert_msg(strstr(e.text, bad[_i].message), "%s\n-- got: %s",
                  bad[_i].text, e.text);
    ck_assert_msg(strncmp(e.text, "dir/t.ptx:", 10) == 0, "%s", e.text);
}
END_TEST

/* However a text is cut, it is refused or loads; nothing is lost (run under a
 * leak checker). */
START_TEST(text_cut_anywhere)
{
    const char *text = KERNEL("{ .reg .b32 %q; @!%p1 bra L; mov.b32 %q, -1; }"
                              "L: ld.global.v2.f32 {%f1, _}, [%rd1+4];");
    struct error e;

    for (size_t length = 0; length < strlen(text); length++) {
        struct ptx_program *program = ptx_load("t.ptx", text, length, &e);
        ptx_free(program);
    }
}
END_TEST

START_TEST(nul_bytes_are_no_end)
{
    static const char text[] = HEAD "\0.entry k() {}";
    struct error e;

    ck_assert_ptr_null(ptx_load("t.ptx", text, sizeof text - 1, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "4:1: error: this character"));
}
END_TEST

START_TEST(deep_and_large_is_refused)
{
    static const char *const starts[] = {
        "", HEAD ".entry k() {",
        HEAD ".global .b8 x[2] = ", HEAD ".section x "};
    size_t size = 20 << 20;
    char *text = malloc(size);
    struct error e;

    for (int i = 0; i < 4; i++) {
        memset(text, '{', size);
        memcpy(text, starts[i], strlen(starts[i]));
        ck_assert_ptr_null(ptx_load("t.ptx", text, size, &e));
        ck_assert_uint_lt(strlen(e.text), 600);
    }
    free(text);
}
END_TEST

/* The student's file is named even where .file comes after the error. */
START_TEST(error_names_the_cu_line)
{
    const char *text = HEAD ".entry k() {\n.reg .b32 %r<3>;\n.loc 2 40 1\n"
                            ".loc 1 9 1, function_name $x, inlined_at 2 14 3\n"
                            "foo.b32 %r1, %r2;\n}\n.file 1 \"/i/dev.cuh\"\n"
                            ".file 2 \"/s/my kernel.cu\"\n";
    struct error e;

    ck_assert_ptr_null(ptx_load("t.ptx", text, strlen(text), &e));
    ck_assert_ptr_nonnull(strstr(e.text, "t.ptx:8:1: error: unknown"));
    ck_assert_ptr_nonnull(strstr(e.text, "\n    foo.b32 %r1, %r2;\n    ^"));
    ck_assert_ptr_nonnull(strstr(e.text, "from /s/my kernel.cu:14"));
}
END_TEST

/* What the simulator lacks is no error as long as nobody starts it. */
START_TEST(missing_instruction_is_kept_for_later)
{
    const char *text = HEAD ".entry k() {\n.reg .b32 %r<3>;\n"
                            "@!%r1 mma.x {%r1, _}, {%r2}, wobble; mma;\n}\n"
                            ".entry good() { ret; }\n";
    struct error e;
    struct ptx_program *p = ptx_load("t.ptx", text, strlen(text), &e);

    ck_assert_ptr_null(p); /* the guard is read: %r1 is no predicate */
    text = HEAD ".entry k() {\n"
                "mma.x {%r1, _}, {%r2}, wobble; mma;\nret;\n}\n"
                ".entry good() { ret; }\n";
    p = ptx_load("t.ptx", text, strlen(text), &e);
    ck_assert_ptr_nonnull(p);
    ck_assert_ptr_null(p->functions[1]->missing);
    ck_assert_ptr_nonnull(strstr(p->functions[0]->missing,
                                 "t.ptx:5:1: error: the simulator does not "
                                 "have 'mma'\n    mma.x {"));
    ck_assert_int_eq(p->functions[0]->insn_count, 3);
    ptx_free(p);
    text = HEAD ".entry k() { mma.x {%r1, _}";
    ck_assert_ptr_null(ptx_load("t.ptx", text, strlen(text), &e));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx");
    TCase *refused = tcase_create("refused");

    tcase_add_loop_test(refused, bad_text_is_refused, 0,
                        sizeof bad / sizeof bad[0]);
    tcase_add_test(refused, text_cut_anywhere);
    tcase_add_test(refused, nul_bytes_are_no_end);
    tcase_add_test(refused, deep_and_large_is_refused);
    tcase_add_test(refused, error_names_the_cu_line);
    tcase_add_test(refused, missing_instruction_is_kept_for_later);
    suite_add_tcase(suite, refused);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
