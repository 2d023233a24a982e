/* What the PTX front end must take, and what comes of it. */
#include "ptx/print.h"
#include "tests/unit/ptx_text.h"

/* ---- instructions ----------------------------------------------------------- */

/* Each comes back from the printer as the second text, or as it is. */
static const struct {
    const char *insn;
    const char *printed;
} good[] = {
    {"add.s32 %r1, %r2, -1;", NULL},
    {"add.s32 %r1, %r2, 0xFFFFFFFF;", "add.s32 %r1, %r2, -1;"},
    {"add.u32 %r1, %r2, 4294967295;", "add.u32 %r1, %r2, -1;"},
    {"and.b32 %r1, %r2, 0b101;", "and.b32 %r1, %r2, 5;"},
    {"and.b32 %r1, %r2, 017U;", "and.b32 %r1, %r2, 15;"},
    {"and.b32 %r1, %r2, ~7;", "and.b32 %r1, %r2, -8;"},
    {"mov.b16 %h1, 65535;", "mov.b16 %h1, -1;"},
    {"add.f32 %f1, %f2, 1.5;", "add.f32 %f1, %f2, 0f3FC00000;"},
    {"add.f32 %f1, %f2, -0f3F800000;", "add.f32 %f1, %f2, 0fBF800000;"},
    {"mov.f32 %f1, 0d3FF0000000000000;", "mov.f32 %f1, 0f3F800000;"},
    {"mov.f64 %fd1, 0f3F800000;", "mov.f64 %fd1, 0d3FF0000000000000;"},
    {"mov.f64 %fd1, 1e300;", "mov.f64 %fd1, 0d7E37E43C8800759C;"},
    {"mov.b32 %r1, 0f7FC00001;", "mov.b32 %r1, 2143289345;"},
    {"mov.f32 %f1, 0f7FA00001;", NULL}, /* a NaN keeps its bits */
    {"fma.rn.f16 %h1, %h2, %h3, 1.5;", "fma.rn.f16 %h1, %h2, %h3, 0f3FC00000;"},
    {"add.f16 %h1, %h2, 65520.0;", "add.f16 %h1, %h2, 0f7F800000;"},
    {"add.f16 %h1, %h2, 0.00000005960464477539063;",
     "add.f16 %h1, %h2, 0f33800000;"},
    {"@%p1 ret;", NULL},
    {"@!%p1 exit;", NULL},
    {"mov.u32 %r1, %tid.x;", NULL},
    {"mov.u32 %r1, WARP_SZ;", NULL},
    {"mov.b32 %r1, %envreg3;", NULL},
    {"mov.u64 %rd1, g;", NULL},
    {"mov.u64 %rd1, g+8;", NULL},
    {"mov.u32 %r1, sh;", NULL},
    {"mov.b64 {%r1,%r2}, %rd1;", "mov.b64 {%r1, %r2}, %rd1;"},
    {"mov.b64 {_,%r2}, %rd1;", "mov.b64 {_, %r2}, %rd1;"},
    {"mov.b32 %r1, {%h1,%h2};", "mov.b32 %r1, {%h1, %h2};"},
    {"mov.pred %p1, %p2;", NULL},
    {"mov.pred %p1, -1;", "mov.pred %p1, 1;"},
    {".reg .b128 %q; mov.b128 %q, {%rd1,%rd2};", "mov.b128 %q, {%rd1, %rd2};"},
    {".reg .b128 %q; mov.b128 {%rd1, %rd2}, %q;", "mov.b128 {%rd1, %rd2}, %q;"},
    {".reg .b128 %q; ld.global.b128 %q, [%rd1];", "ld.global.b128 %q, [%rd1];"},
    {"ld.global.f32 %f1, [%rd1];", NULL},
    {"ld.global.f32 %f1, [%rd1+-4];", NULL},
    {"ld.global.f32 %f1, [%rd1-4];", "ld.global.f32 %f1, [%rd1+-4];"},
    {"ld.global.b32 %r1, [g+8];", NULL},
    {"ld.b32 %r1, [g];", NULL},
    {"ld.shared.b32 %r1, [%r2];", NULL},
    {"ld.shared.b32 %r1, [128];", NULL},
    {"ld.param.u64 %rd1, [a];", NULL},
    {"ld.global.u8 %r1, [%rd1];", NULL},
    {"ld.global.s16 %rd2, [%rd1];", NULL},
    {"ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%f1,%f2,_,%f4}, [%rd1];",
     "ld.global.nc.v4.f32 {%f1, %f2, _, %f4}, [%rd1];"},
    {"ld.global.L1::evict_last.L2::cache_hint.b32 %r1, [%rd1], %rd2;",
     "ld.global.b32 %r1, [%rd1];"},
    {"ld.relaxed.gpu.global.u32 %r1, [%rd1];", NULL},
    {"ld.volatile.shared.f32 %f1, [sh];", NULL},
    {"ld.weak.global.cs.b64 %rd1, [%rd1];", "ld.global.b64 %rd1, [%rd1];"},
    {"st.volatile.shared.f32 [%r1], %f1;", NULL},
    {"st.global.v2.b32 [%rd1], {%r1, 5};", NULL},
    {"st.global.wt.b32 [%rd1], 0f3F800000;",
     "st.global.b32 [%rd1], 1065353216;"},
    {"st.release.sys.global.b32 [%rd1], %r1;", NULL},
    {"atom.global.relaxed.gpu.add.f32 %f1, [%rd1], %f2;",
     "atom.relaxed.gpu.global.add.f32 %f1, [%rd1], %f2;"},
    {"atom.global.cas.b32 _, [%rd1], %r1, 5;", NULL},
    {"atom.add.noftz.f16 %h1, [%rd1], %h2;", NULL},
    {"atom.shared.exch.b64 %rd1, [%r1], %rd2;", NULL},
    {"red.global.max.s32 [%rd1], -7;", NULL},
    {"prefetch.global.L2 [%rd1];", "prefetch.global [%rd1];"},
    {"cp.async.ca.shared.global [%r1], [%rd1], 4;", NULL},
    {"cp.async.cg.shared.global.L2::128B [%r1], [%rd1], 16, %r2;",
     "cp.async.cg.shared.global [%r1], [%rd1], 16, %r2;"},
    {"cp.async.cg.shared::cta.global.L2::cache_hint [%r1], [%rd1], 16, %rd2;",
     "cp.async.cg.shared.global [%r1], [%rd1], 16;"},
    {"cp.async.commit_group;", NULL},
    {"cp.async.wait_group 2;", NULL},
    {"cp.async.wait_all;", NULL},
    {"bar.sync 0;", NULL},
    {"bar.sync %r1, 64;", NULL},
    {"bar.arrive 1, 64;", NULL},
    {"bar.red.popc.u32 %r1, 0, !%p1;", NULL},
    {"bar.red.or.pred %p1, 0, 64, %p2;", NULL},
    {"bar.warp.sync -1;", NULL},
    {"barrier.sync.aligned 0;", NULL},
    {"barrier.cta.sync 0;", "barrier.sync 0;"},
    {"membar.gl;", NULL},
    {"fence.acq_rel.gpu;", NULL},
    {"fence.proxy.alias;", "fence;"},
    {"shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1;", NULL},
    {"shfl.down.b32 %r1, %r2, 16, 31;", NULL},
    {"vote.sync.ballot.b32 %r1, %p1, -1;", NULL},
    {"vote.sync.all.pred %p1, !%p2, %r1;", NULL},
    {"activemask.b32 %r1;", NULL},
    {"match.any.sync.b32 %r1, %r2, -1;", NULL},
    {"match.all.sync.b64 %r1|%p1, %rd2, -1;", NULL},
    {"redux.sync.add.s32 %r1, %r2, -1;", NULL},
    {"elect.sync _|%p1, -1;", NULL},
    {"setp.lt.and.f32 %p1|%p2, %f1, 0f00000000, !%p3;", NULL},
    {"setp.eq.s32 %p1|_, %r1, 5;", NULL},
    {"set.gt.u32.f32 %r1, %f1, %f2;", NULL},
    {"selp.f32 %f1, %f2, 0f3F800000, %p1;", NULL},
    {"slct.f32.s32 %f1, %f2, %f3, %r1;", NULL},
    {"mul.wide.u32 %rd1, %r1, 4;", NULL},
    {"mad.wide.s16 %r1, %h1, %h2, %r2;", NULL},
    {"mad.lo.cc.u32 %r1, %r2, %r3, %r4;", "mad.lo.cc.u32 %r1, %r2, %r3, %r4;"},
    {"addc.cc.u32 %r1, %r2, 0;", NULL},
    {"shl.b64 %rd1, %rd2, 3;", NULL},
    {"shr.s16 %h1, %h2, %r1;", NULL},
    {"shf.l.wrap.b32 %r1, %r2, %r3, 7;", NULL},
    {"bfe.u64 %rd1, %rd2, 3, %r1;", NULL},
    {"bfi.b32 %r1, %r2, %r3, 8, 8;", NULL},
    {"bfind.shiftamt.u32 %r1, %r2;", NULL},
    {"popc.b64 %r1, %rd1;", NULL},
    {"prmt.b32 %r1, %r2, %r3, 0x5410;", "prmt.b32 %r1, %r2, %r3, 21520;"},
    {"prmt.b32.f4e %r1, %r2, %r3, %r4;", "prmt.f4e.b32 %r1, %r2, %r3, %r4;"},
    {"lop3.b32 %r1, %r2, %r3, %r4, 0x96;", "lop3.b32 %r1, %r2, %r3, %r4, 150;"},
    {"dp4a.s32.u32 %r1, %r2, %r3, %r4;", NULL},
    {"and.pred %p1, %p2, 1;", NULL},
    {"not.pred %p1, %p2;", NULL},
    {"cvt.u64.u32 %rd1, %r1;", NULL},
    {"cvt.u8.u32 %h1, %r1;", NULL},
    {"cvt.rn.f32.s64 %f1, %rd1;", NULL},
    {"cvt.rzi.ftz.s32.f32 %r1, %f1;", NULL},
    {"cvt.sat.f32.f32 %f1, %f2;", NULL},
    {"cvt.f32.f16 %f1, %h1;", NULL},
    {"cvt.rn.f16x2.f32 %r1, %f1, %f2;", NULL},
    {"cvt.rn.satfinite.bf16.f32 %h1, %f1;", "cvt.rn.sat.bf16.f32 %h1, %f1;"},
    {"cvta.to.global.u64 %rd1, %rd2;", NULL},
    {"cvta.shared.u64 %rd1, sh;", NULL},
    {"isspacep.shared %p1, %rd1;", NULL},
    {"testp.finite.f32 %p1, %f1;", NULL},
    {"max.NaN.f32 %f1, %f2, %f3;", NULL},
    {"min.xorsign.abs.f32 %f1, %f2, %f3;", "min.xorsign.f32 %f1, %f2, %f3;"},
    {"fma.rn.ftz.sat.f32 %f1, %f2, %f3, %f4;", NULL},
    {"div.full.ftz.f32 %f1, %f2, %f3;", "div.ftz.full.f32 %f1, %f2, %f3;"},
    {"ex2.approx.ftz.f32 %f1, %f2;", "ex2.ftz.approx.f32 %f1, %f2;"},
    {"rsqrt.approx.f64 %fd1, %fd2;", NULL},
    {"nanosleep.u32 100;", NULL},
    {"griddepcontrol.wait;", "griddepcontrol;"},
    {"trap;", NULL},
    {"// begin inline asm\n add.s32 %r1, /* here */ %r1, 1; // end",
     "add.s32 %r1, %r1, 1;"},
    {"{ .reg .b32 %r1; mov.b32 %r1, 3; }", "mov.b32 %r1$0, 3;"},
    {".pragma \"nounroll\"; ;; ret;", "ret;"},
};

START_TEST(good_instructions_are_decoded)
{
    struct text text = {0}, printed = {0};

    text_puts(&text, KERNEL_BEGIN);
    text_puts(&text, good[_i].insn);
    text_puts(&text, KERNEL_END);
    struct ptx_program *program = load(text.data);
    const struct ptx_function *f = program->functions[0];
    ptx_print_insn(&printed, f, &f->insns[0]);
    ck_assert_str_eq(printed.data,
                     good[_i].printed ? good[_i].printed : good[_i].insn);
    text_free(&printed);
    text_free(&text);
    ptx_free(program);
}
END_TEST

/* ---- modules ------------------------------------------------------------------ */

START_TEST(head_is_read)
{
    struct ptx_program *p = load(".version 8.10\n.target sm_90a, "
                                 "texmode_independent, debug\n"
                                 ".address_size 64\n");

    ck_assert_int_eq(p->version_major, 8);
    ck_assert_int_eq(p->version_minor, 10);
    ck_assert_int_eq(p->target, 90);
    ck_assert_int_eq(p->function_count, 0);
    ptx_free(p);
}
END_TEST

START_TEST(variables_have_their_bytes)
{
    struct ptx_program *p = load(
        HEAD ".extern .shared .align 16 .b8 dyn[];\n"
             ".visible .global .align 4 .u32 a = 258;\n"
             ".global .b8 b[2][3] = {{1, 2}, {3, -1, 5}};\n"
             ".const .f32 c[4] = {1.0, 0fBF800000};\n"
             ".global .b64 d[3] = {a, generic(a)+4, fn};\n"
             ".global .align 8 .b8 e[10] = {7, 0xFF(generic(b)+2), "
             "0xFF00(generic(b)+2), 0xFF0000(generic(b)+2), "
             "0xFF000000(generic(b)+2), 0xFF00000000(generic(b)+2), "
             "0xFF0000000000(generic(b)+2), 0xFF000000000000(generic(b)+2), "
             "0xFF00000000000000(generic(b)+2), 9};\n"
             ".global .u16 h[] = {1, 2, 3};\n"
             ".global .v4 .f32 v;\n"
             ".func fn() { ret; }\n");
    struct ptx_variable **v = p->variables;

    ck_assert_int_eq(p->variable_count, 8);
    ck_assert(v[0]->is_extern && v[0]->bytes == 0 && v[0]->align == 16);
    ck_assert_int_eq(v[0]->space, SPACE_SHARED);
    ck_assert_mem_eq(v[1]->initial, "\2\1\0\0", 4);
    ck_assert_uint_eq(v[2]->bytes, 6);
    ck_assert_mem_eq(v[2]->initial, "\1\2\0\3\377\5", 6);
    ck_assert_mem_eq(v[3]->initial, "\0\0\200\77\0\0\200\277\0\0\0", 12);
    ck_assert_int_eq(v[4]->relocation_count, 3);
    ck_assert_ptr_eq(v[4]->relocations[0].variable, v[1]);
    ck_assert(!v[4]->relocations[0].generic);
    ck_assert(v[4]->relocations[1].generic);
    ck_assert_int_eq(v[4]->relocations[1].offset, 4);
    ck_assert_uint_eq(v[4]->relocations[1].at, 8);
    ck_assert_ptr_eq(v[4]->relocations[2].function, p->functions[0]);
    ck_assert_int_eq(v[5]->relocation_count, 1);
    ck_assert_uint_eq(v[5]->relocations[0].at, 1);
    ck_assert_int_eq(v[5]->relocations[0].offset, 2);
    ck_assert_uint_eq(v[5]->initial[9], 9);
    ck_assert_uint_eq(v[6]->bytes, 6);
    ck_assert(v[7]->bytes == 16 && v[7]->align == 16);
    ptx_free(p);
}
END_TEST

START_TEST(extern_and_definition_are_one)
{
    struct ptx_program *p = load(HEAD ".extern .global .b32 x[4];\n"
                                      ".visible .global .b32 x[4] = {1};\n"
                                      ".extern .global .b8 x[9];\n");

    ck_assert_int_eq(p->variable_count, 1);
    ck_assert_uint_eq(p->variables[0]->bytes, 16);
    ck_assert(!p->variables[0]->is_extern);
    ptx_free(p);
}
END_TEST

START_TEST(nested_scopes_reuse_names)
{
    struct ptx_program *p = load(
        KERNEL("{ .reg .b32 %x; .param .b64 q; mov.b32 %x, 1; bra L; L: }\n"
               "{ .reg .b64 %x; .param .b64 q; mov.b64 %x, 2; bra L; L: }\n"));
    const struct ptx_function *f = p->functions[0];

    ck_assert_int_eq(f->insns[0].operand[0].reg, 0);
    ck_assert_int_eq(f->insns[2].operand[0].reg, 1);
    ck_assert_int_eq(f->insns[1].operand[0].target, 2);
    ck_assert_int_eq(f->insns[3].operand[0].target, 4);
    ck_assert_int_eq(f->variable_count, 2);
    ck_assert(f->registers[0].nested && f->registers[1].type == PTX_B64);
    ptx_free(p);
}
END_TEST

START_TEST(registers_exist_when_used)
{
    struct ptx_program *p =
        load(KERNEL(".reg .b32 %z<4294967295>, %y1<5>, %y<3>;\n"
                    "mov.b32 %z4294967294, 1; mov.b32 %y10, 2;"));

    ck_assert_int_eq(p->functions[0]->register_count, 2);
    ck_assert_str_eq(p->functions[0]->registers[0].name, "%z4294967294");
    ptx_free(p);
}
END_TEST

START_TEST(functions_and_calls)
{
    struct ptx_program *p = load(
        HEAD
        ".extern .func (.param .b32 r) vprintf(.param .b64 _, .param .b64 _);\n"
        ".extern .func __assertfail(.param .b64 a) .noreturn;\n"
        ".func (.param .align 4 .b8 out[8]) f(.param .b32 x) { ret; }\n"
        ".visible .func g(.param .b32 x);\n"
        ".weak .entry k(.param .u64 .ptr .global .align 4 p, .param .align 8 "
        ".b8 s[24])\n.maxntid 256, 1, 1\n.minnctapersm 2\n{\n"
        ".reg .b64 %rd<3>; .reg .b32 %r<3>;\n"
        "{ .param .b32 param0; st.param.b32 [param0+0], %r1;\n"
        ".param .align 4 .b8 retval0[8];\n"
        "call.uni (retval0),\nf,\n(\nparam0\n);\n"
        "ld.param.b32 %r2, [retval0+4]; }\n"
        "mov.u64 %rd1, f;\n"
        "{ .param .b32 p0; .param .b32 r0;\n"
        "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
        "call (r0), %rd1, (p0), proto; }\n"
        "call g, (7);\nret;\n}\n"
        ".func g(.param .b32 x) { ret; }\n.alias h, g;\n"
        ".func h(.param .b32 x);\n");
    const struct ptx_function *k = ptx_find_function(p, "k");
    const struct ptx_function *f = ptx_find_function(p, "f");
    const struct ptx_function *g = ptx_find_function(p, "g");

    ck_assert_int_eq(p->function_count, 6);
    ck_assert(!ptx_find_function(p, "vprintf")->has_body);
    ck_assert(k->is_entry && k->max_threads[0] == 256 && !k->required_threads);
    ck_assert_uint_eq(k->params[1]->bytes, 24);
    const struct ptx_call *call = k->insns[1].call;
    ck_assert_ptr_eq(call->callee, f);
    ck_assert_str_eq(call->arguments[0].variable->name, "param0");
    ck_assert_str_eq(call->results[0].variable->name, "retval0");
    ck_assert_ptr_eq(k->insns[3].operand[1].function, f);
    ck_assert(!k->insns[4].call->callee && k->insns[4].call->pointer.reg >= 0);
    ck_assert_ptr_eq(k->insns[5].call->callee, g);
    ck_assert_uint_eq(k->insns[5].call->arguments[0].bits, 7);
    ck_assert(g->has_body && ptx_find_function(p, "h")->insns == g->insns);
    ptx_free(p);
}
END_TEST

/* ---- lines -------------------------------------------------------------------- */

START_TEST(lines_of_inlined_code)
{
    struct ptx_program *p = load(
        KERNEL("mov.b32 %r1, 1;\n"              /* 0: the next, 10 */
               ".loc 1 10 1\nmov.b32 %r1, 1;\n" /* 1 */
               ".loc 1 0 1\nmov.b32 %r1, 1;\n"  /* 2: as before */
               ".loc 2 70 1, function_name $x+4, inlined_at 1 11 3\n"
               "mov.b32 %r1, 1;\n" /* 3: 11 */
               ".loc 2 80 5, function_name $x, inlined_at 2 70 1\n"
               "mov.b32 %r1, 1;\n" /* 4: 11, by two */
               ".loc 1 5 2, function_name $x, inlined_at 1 12 3\n"
               "mov.b32 %r1, 1;\n"                        /* 5: innermost, 5 */
               ".loc 2 33 1\nmov.b32 %r1, 1;\n"           /* 6: a header */
               ".loc 9 44 1\nmov.b32 %r1, 1;\n"           /* 7: no such file */
               "bra L;\nL: .loc 1 0 0\nmov.b32 %r1, 1;\n" /* 9: the next, 20 */
               ".loc 1 20 1\n")                           /* 10: ret */
        ".file 1 \"/d/k.cu\"\n.file 2 \"/d/h.cuh\", 1, 2\n");
    const struct ptx_function *f = p->functions[0];
    static const int lines[] = {10, 10, 10, 11, 11, 5, 33, 33, 33, 20, 20};
    char where[64];

    ck_assert_int_eq(f->insn_count, 11);
    for (int i = 0; i < 11; i++)
        ck_assert_msg(f->insns[i].line == lines[i], "%d: %d", i,
                      f->insns[i].line);
    ck_assert_str_eq(p->files[f->insns[6].file], "/d/h.cuh");
    ck_assert_str_eq(ptx_where(f, &f->insns[3], where, sizeof where),
                     "k.cu:11");
    ptx_free(p);
}
END_TEST

START_TEST(messages_about_an_instruction)
{
    struct ptx_program *p = load(KERNEL("\n   mov.b32 %r1, 1;"));
    const struct ptx_function *f = p->functions[0];
    struct error e;
    char where[64];

    ck_assert(!ptx_error_at(f, &f->insns[0], &e, "no %s", "luck"));
    ck_assert_str_eq(e.text, "dir/t.ptx:7:4: error: no luck\n"
                             "       mov.b32 %r1, 1;\n"
                             "       ^");
    ck_assert_str_eq(ptx_where(f, &f->insns[0], where, sizeof where),
                     "t.ptx:7");
    ptx_free(p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_decode");
    TCase *decoded = tcase_create("decoded");

    tcase_add_loop_test(decoded, good_instructions_are_decoded, 0,
                        sizeof good / sizeof good[0]);
    tcase_add_test(decoded, head_is_read);
    tcase_add_test(decoded, variables_have_their_bytes);
    tcase_add_test(decoded, extern_and_definition_are_one);
    tcase_add_test(decoded, nested_scopes_reuse_names);
    tcase_add_test(decoded, registers_exist_when_used);
    tcase_add_test(decoded, functions_and_calls);
    tcase_add_test(decoded, lines_of_inlined_code);
    tcase_add_test(decoded, messages_about_an_instruction);
    suite_add_tcase(suite, decoded);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
