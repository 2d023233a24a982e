/* For which array an address is meant, and names as the student wrote them. */
#include "ptx/origin.h"
#include "tests/unit/ptx_text.h"

#include <stdio.h>

#define ARRAYS                                                        \
    HEAD ".shared .align 4 .b8 a[64]; .shared .align 4 .b8 b[64];\n"  \
         ".entry k(.param .u64 p) {\n"                                \
         ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>; .reg " \
         ".b32 %x;\n"                                                 \
         "ld.param.u64 %rd8, [p]; mov.u32 %r8, %tid.x;\n"

/* Bodies whose last instruction before `ret` is an access; the array that it is
 * meant for, "" where nothing may be claimed. */
static const struct {
    const char *what, *body, *array;
} cases[] = {
    {"the variable itself", "ld.shared.u32 %x, [a];", "a"},
    {"with an offset beyond it", "ld.shared.u32 %x, [a+100];", "a"},
    {"an index",
     "mov.u32 %r1, a; shl.b32 %r2, %r8, 2; add.s32 %r3, %r1, %r2; "
     "ld.shared.u32 %x, [%r3+4];",
     "a"},
    {"multiplied and added",
     "mov.u32 %r1, b; mad.lo.s32 %r2, %r8, 4, %r1; ld.shared.u32 %x, [%r2];",
     "b"},
    {"an index from memory",
     "mov.u32 %r1, a; ld.shared.u32 %r2, [b]; add.s32 %r1, %r1, %r2; "
     "ld.shared.u32 %x, [%r1];",
     "a"},
    {"in a loop",
     "mov.u32 %r1, a; L: add.s32 %r1, %r1, 4; setp.lt.u32 %p1, %r1, %r8; "
     "@%p1 bra L; st.shared.u32 [%r1], %r8;",
     "a"},
    {"as a generic address",
     "mov.u64 %rd1, a; cvta.shared.u64 %rd2, %rd1; mul.wide.u32 %rd3, %r8, 4; "
     "add.s64 %rd4, %rd2, %rd3; st.u32 [%rd4-4], %r8;",
     "a"},
    {"below it by a subtraction",
     "mov.u32 %r1, a; sub.s32 %r1, %r1, %r8; ld.shared.u32 %x, [%r1];", "a"},
    {"an or for a plus",
     "mov.u32 %r1, b; or.b32 %r1, %r1, 4; ld.shared.u32 %x, [%r1];", "b"},
    {"a choice of two",
     "mov.u32 %r1, a; mov.u32 %r2, b; setp.eq.u32 %p1, %r8, 0; "
     "selp.b32 %r3, %r1, %r2, %p1; ld.shared.u32 %x, [%r3];",
     ""},
    {"first the one, then the other",
     "mov.u32 %r1, a; L: add.s32 %r1, %r1, 4; setp.lt.u32 %p1, %r1, %r8; "
     "@%p1 bra M; mov.u32 %r1, b; M: ld.shared.u32 %x, [%r1];",
     ""},
    {"from one to the other by their distance",
     "mov.u32 %r1, a; mov.u32 %r2, b; sub.s32 %r3, %r2, %r1; "
     "add.s32 %r4, %r1, %r3; ld.shared.u32 %x, [%r4];",
     ""},
    {"both halves of a double buffer, by bits",
     "mov.u32 %r1, a; xor.b32 %r1, %r1, 64; ld.shared.u32 %x, [%r1];", ""},
    {"a number", "ld.shared.u32 %x, [64];", ""},
    {"an argument", "ld.u32 %x, [%rd8+4];", ""},
    {"an address from memory",
     "ld.shared.u32 %r1, [a]; ld.shared.u32 %x, [%r1];", ""},
};

START_TEST(an_access_is_meant_for)
{
    char text[2000];
    struct arena arena = {0};

    snprintf(text, sizeof text, "%s%s\nret;\n}\n", ARRAYS, cases[_i].body);
    struct ptx_program *program = load(text);
    const struct ptx_function *f = program->functions[0];
    const struct ptx_variable **origins = ptx_origins(&arena, f);
    const struct ptx_variable *is = origins[f->insn_count - 2];
    ck_assert_msg(strcmp(is ? is->name : "", cases[_i].array) == 0,
                  "%s: meant for '%s', not for '%s'", cases[_i].what,
                  is ? is->name : "", cases[_i].array);
    arena_free(&arena);
    ptx_free(program);
}
END_TEST

static const struct {
    const char *symbol, *name;
} names[] = {
    {"buf", "buf"},
    {"_ZZ6reduceE9warp_sums", "warp_sums"},
    {"_ZN4deep3bufE", "buf"},
    {"_ZZ4foldILj64EEvfPfE4tile", "tile"},
    {"_ZZ4foldILj8EEvfPfE4tile", "tile"},
    {"_ZZ4foldILin5ELb1EEvvE1s", "s"},
    {"_ZZ8fold_allIdEvT_E4tile", "tile"},
    {"_Z", "_Z"},
    {"_Z999x", "_Z999x"},
    {"", ""},
};

START_TEST(a_symbol_is_named)
{
    int length;
    const char *name = ptx_source_name(names[_i].symbol, &length);
    char text[100];

    snprintf(text, sizeof text, "%.*s", length, name);
    ck_assert_str_eq(text, names[_i].name);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_origin");
    TCase *all = tcase_create("origin");

    tcase_add_loop_test(all, an_access_is_meant_for, 0,
                        sizeof cases / sizeof cases[0]);
    tcase_add_loop_test(all, a_symbol_is_named, 0,
                        sizeof names / sizeof names[0]);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
