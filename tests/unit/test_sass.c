/* What ptxas makes of a few instructions: each rule with a case that it must
 * catch and a near miss that it must not.  What is expected was read off SASS
 * (ptxas 13.0, sm_90). */
#include "tests/unit/ptx_text.h"
#include "watch/sass.h"

#include <stdio.h>

#define SASS_BEGIN                                                       \
    HEAD ".entry k(.param .u64 a, .param .u64 n) {\n"                    \
         ".reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<40>; "       \
         ".reg .pred %p<9>; .shared .align 4 .b8 s[4096]; "              \
         "mov.u32 %r1, %tid.x; mov.u32 %r2, s; ld.param.u64 %rd1, [a]; " \
         "cvta.to.global.u64 %rd2, %rd1; ld.global.f32 %f1, [%rd2]; "    \
         "shl.b32 %r3, %r1, 2; add.s32 %r4, %r2, %r3; "                  \
         "setp.ge.u32 %p1, %r1, 7;\n"
#define SASS_END "\nst.global.f32 [%rd2+4], %f1; ret; }\n"
/* Instructions before those of the body. */
enum { FIRST = 8 };

struct estimate {
    struct arena arena;
    struct ptx_program *program;
    const struct sass_insn *sass;
};

static struct estimate estimate(const char *body)
{
    static char text[8192];
    struct estimate e = {{NULL}, NULL, NULL};
    snprintf(text, sizeof text, "%s%s%s", SASS_BEGIN, body, SASS_END);
    e.program = load(text);
    e.sass = sass_estimate(&e.arena, e.program->functions[0]);
    return e;
}

static void done(struct estimate *e)
{
    arena_free(&e->arena);
    ptx_free(e->program);
}

/* ---- short branches ------------------------------------------------------------*/

#define ADD "add.f32 %f1, %f1, 0f3F800000; "
#define ADD_4 ADD ADD ADD ADD
#define ADD_18 ADD_4 ADD_4 ADD_4 ADD_4 ADD ADD
#define PLACE "add.s64 %rd3, %rd2, 64; "
#define LOAD "ld.global.f32 %f2, [%rd3]; add.f32 %f1, %f1, %f2; "

static const struct {
    const char *what, *body;
    int at; /* the branch, in the body */
    bool melts;
} branches[] = {
    {"eight", "@%p1 bra L; " ADD_4 ADD_4 "L:", 0, true},
    {"nine", "@%p1 bra L; " ADD_4 ADD_4 ADD "L:", 0, false},
    {"a store", "@%p1 bra L; st.shared.f32 [%r4], %f1; L:", 0, true},
    {"a reduction", "@%p1 bra L; red.global.add.f32 [%rd2], %f1; L:", 0, false},
    {"an atomic in shared memory",
     "@%p1 bra L; red.shared.add.u32 [%r4], 1; L:", 0, false},
    {"a shuffle",
     "@%p1 bra L; shfl.sync.down.b32 %r9|%p2, %r1, 1, 31, -1; L:", 0, false},
    {"if and else", "@%p1 bra E; " ADD "bra L; E: " ADD ADD "L:", 0, true},
    {"twenty with a load, beside another's",
     PLACE "@%p1 bra L; " LOAD ADD_18 "L:", 1, true},
    {"twenty-one", PLACE "@%p1 bra L; " LOAD ADD_18 ADD "L:", 1, false},
    {"twenty without a load", "@%p1 bra L; " ADD_18 ADD ADD "L:", 0, false},
    {"nothing to wait for beside it since the barrier",
     PLACE "bar.sync 0; @%p1 bra L; " LOAD ADD_18 "L:", 2, false},
    {"shared memory behind it",
     PLACE "bar.sync 0; @%p1 bra L; " LOAD ADD_18
           "L: st.shared.f32 [%r4], %f1;",
     2, true},
    {"the load of the next if, which melts too",
     PLACE "bar.sync 0; @%p1 bra M; " LOAD ADD_4 ADD_4
           "M: setp.ge.u32 %p2, %r1, 5; @%p2 bra L; " LOAD "L:",
     2, true},
};

START_TEST(short_branches)
{
    struct estimate e = estimate(branches[_i].body);
    int at = FIRST + branches[_i].at;
    ck_assert_msg(e.sass[at].is_jump != branches[_i].melts, "%s",
                  branches[_i].what);
    ck_assert_int_eq(e.sass[at + 1].with >= 0, branches[_i].melts);
    done(&e);
}
END_TEST

/* ---- atomics ----------------------------------------------------------------------*/

static const struct {
    const char *what, *body;
    bool gathered, merges, loops, red;
} atomics[] = {
    {"one place, what the lanes have", "red.global.add.u32 [%rd2], %r1;", true,
     false, false, true},
    {"a place for each lane", "red.shared.add.u32 [%r4], %r1;", false, false,
     false, true},
    {"floats", "red.global.add.f32 [%rd2], %f1;", false, false, false, true},
    {"the largest", "red.global.max.s32 [%rd2], %r1;", true, false, false,
     true},
    {"an exchange", "atom.global.exch.b32 %r9, [%rd2], %r1;", false, false,
     false, true},
    {"a count in shared memory", "red.shared.add.u32 [%r4], 1;", false, true,
     false, true},
    {"by two", "red.shared.add.u32 [%r4], 2;", false, false, false, true},
    {"a count that is looked at",
     "atom.shared.add.u32 %r9, [%r4], 1; st.shared.u32 [%r4], %r9;", false,
     false, false, false},
    {"floats in shared memory", "red.shared.add.f32 [%r4], %f1;", false, false,
     true, true},
    {"64 bits in shared memory", "red.shared.add.u64 [%r4], %rd1;", false,
     false, true, true},
    {"a fence keeps the atomic",
     "atom.global.add.f32 %f9, [%rd2], %f1; membar.gl;", false, false, false,
     false},
    {"a fence of the block does not",
     "atom.global.add.f32 %f9, [%rd2], %f1; membar.cta;", false, false, false,
     true},
};

START_TEST(kinds_of_atomics)
{
    struct estimate e = estimate(atomics[_i].body);
    const struct sass_insn *s = &e.sass[FIRST];
    ck_assert_msg(s->is_gathered == atomics[_i].gathered, "%s",
                  atomics[_i].what);
    ck_assert_msg(s->merges_lanes == atomics[_i].merges, "%s",
                  atomics[_i].what);
    ck_assert_msg((s->loop_cost > 0) == atomics[_i].loops, "%s",
                  atomics[_i].what);
    ck_assert_msg(s->is_red == atomics[_i].red, "%s", atomics[_i].what);
    done(&e);
}
END_TEST

/* One thread needs nobody to gather; 32 of a warp do, whatever the guard. */
START_TEST(one_thread_gathers_nothing)
{
    struct estimate e = estimate("setp.ne.s32 %p2, %r1, 0; @%p2 bra L; "
                                 "red.global.add.u32 [%rd2], 5; L:");
    ck_assert(!e.sass[FIRST + 2].is_gathered);
    done(&e);
    e = estimate("setp.gt.u32 %p2, %r1, 5; @%p2 bra L; "
                 "red.global.add.u32 [%rd2], 5; L:");
    ck_assert(e.sass[FIRST + 2].is_gathered);
    done(&e);
}
END_TEST

/* ---- neighbours ----------------------------------------------------------------------*/

#define LD(f, at) "ld.shared.f32 %f" #f ", [" at "]; "
#define ST(at) "st.shared.f32 [" at "], %f1; "

static const struct {
    const char *what, *body;
    int accesses; /* that are left */
    int bytes;    /* of the widest */
} neighbours[] = {
    {"four", LD(2, "s") LD(3, "s+4") LD(4, "s+8") LD(5, "s+12"), 1, 16},
    {"two", LD(2, "s") LD(3, "s+4"), 1, 8},
    {"two that are not one half", LD(2, "s+4") LD(3, "s+8"), 2, 0},
    {"three", LD(2, "s+4") LD(3, "s+8") LD(4, "s+12"), 1, 16},
    {"and one of the next", LD(2, "s+8") LD(3, "s+12") LD(4, "s+16"), 2, 8},
    {"stores of four", ST("s") ST("s+4") ST("s+8") ST("s+12"), 1, 16},
    {"stores of three", ST("s") ST("s+4") ST("s+8"), 2, 8},
    {"a store between", LD(2, "s") ST("s+8") LD(3, "s+4"), 3, 0},
    {"a barrier between", LD(2, "s") "bar.sync 0; " LD(3, "s+4"), 2, 0},
    {"volatile",
     "ld.volatile.shared.f32 %f2, [s]; ld.volatile.shared.f32 %f3, [s+4];", 2,
     0},
    {"word by word", LD(2, "%r4") LD(3, "%r4+4"), 2, 0},
    {"pairs of words",
     "shl.b32 %r5, %r1, 3; add.s32 %r6, %r2, %r5; " LD(2, "%r6") LD(3, "%r6+4")
         LD(4, "%r6+8"),
     2, 8},
    {"fours of words",
     "mad.lo.s32 %r6, %r1, 16, %r2; " LD(2, "%r6") LD(3, "%r6+4") LD(4, "%r6+8")
         LD(5, "%r6+12"),
     1, 16},
    {"threes of words",
     "mad.lo.s32 %r6, %r1, 12, %r2; " LD(2, "%r6") LD(3, "%r6+4"), 2, 0},
};

START_TEST(neighbours_join)
{
    struct estimate e = estimate(neighbours[_i].body);
    const struct ptx_function *f = e.program->functions[0];
    int accesses = 0, bytes = 0;
    for (int k = FIRST; k < f->insn_count; k++) {
        accesses += f->insns[k].space == SPACE_SHARED &&
                    ptx_ops[f->insns[k].op].class == CLASS_MEMORY &&
                    !e.sass[k].is_joined;
        bytes = e.sass[k].join_bytes > bytes ? e.sass[k].join_bytes : bytes;
    }
    ck_assert_msg(
        accesses == neighbours[_i].accesses && bytes == neighbours[_i].bytes,
        "%s: %d accesses, %d bytes", neighbours[_i].what, accesses, bytes);
    done(&e);
}
END_TEST

/* The upper half of a widened number is zero, and costs no logic. */
static const struct {
    const char *what, *body;
    int cost; /* of the last instruction */
} logic[] = {
    {"a widened one",
     "cvt.u64.u32 %rd4, %r3; ld.global.u64 %rd5, [%rd2]; "
     "or.b64 %rd6, %rd5, %rd4;",
     1},
    {"one with a sign",
     "cvt.s64.s32 %rd4, %r3; ld.global.u64 %rd5, [%rd2]; "
     "or.b64 %rd6, %rd5, %rd4;",
     2},
};

START_TEST(wide_logic)
{
    struct estimate e = estimate(logic[_i].body);
    ck_assert_int_eq(e.sass[FIRST + 2].cost, logic[_i].cost);
    done(&e);
}
END_TEST

/* Trips behind each other: a load that is left over goes with the next trip's,
 * if a counter ends the loop; not if the lanes decide. */
START_TEST(trips_join)
{
    static const char *const ends[] = {"setp.ne.s32 %p2, %r7, 0; ",
                                       "setp.ne.s32 %p2, %r9, 0; "};
    static const char *const counts[] = {"add.s32 %r7, %r7, -4; ",
                                         "ld.shared.u32 %r9, [s+2048]; "};
    for (int k = 0; k < 2; k++) {
        char body[600];
        snprintf(body, sizeof body,
                 "mov.u32 %%r7, %%ctaid.x; mov.u32 %%r6, %%r2; bar.sync 0; L: "
                 "%s%s%s%s%s add.s32 %%r6, %%r6, 16; %s @%%p2 bra L;",
                 counts[k], LD(2, "%r6+4"), LD(3, "%r6+8"), LD(4, "%r6+12"),
                 LD(5, "%r6+16"), ends[k]);
        struct estimate e = estimate(body);
        ck_assert_int_eq(e.sass[FIRST + 4].join_bytes, 16);
        ck_assert_int_eq(e.sass[FIRST + 7].joins_next, k ? 0 : FIRST + 3);
        done(&e);
    }
}
END_TEST

/* ---- arrays, divisions -------------------------------------------------------------------*/

/* Nine words become registers, ten do not. */
START_TEST(small_arrays)
{
    for (int words = 9; words <= 10; words++) {
        char body[400];
        snprintf(body, sizeof body,
                 ".local .align 4 .b8 part[%d]; mov.u64 %%rd5, part; "
                 "mul.wide.u32 %%rd6, %%r1, 4; add.s64 %%rd7, %%rd5, %%rd6; "
                 "ld.local.f32 %%f2, [%%rd7]; st.local.f32 [%%rd5+4], %%f2;",
                 4 * words);
        struct estimate e = estimate(body);
        ck_assert_int_eq(e.sass[FIRST + 3].is_kept, words == 9);
        ck_assert_int_eq(e.sass[FIRST + 4].is_kept, words == 9);
        ck_assert_int_eq(e.sass[FIRST + 4].cost, words == 9 ? 0 : 1);
        done(&e);
    }
}
END_TEST

START_TEST(divisors_are_shared)
{
    struct estimate e = estimate("rem.u32 %r5, %r1, %r3; "
                                 "rem.u32 %r6, %r4, %r3; "
                                 "rem.u32 %r7, %r4, %r1; ");
    ck_assert_int_gt(e.sass[FIRST].cost, e.sass[FIRST + 1].cost + 5);
    ck_assert_int_eq(e.sass[FIRST].cost, e.sass[FIRST + 2].cost);
    done(&e);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sass");
    TCase *rules = tcase_create("rules");
    tcase_add_loop_test(rules, short_branches, 0,
                        sizeof branches / sizeof *branches);
    tcase_add_loop_test(rules, kinds_of_atomics, 0,
                        sizeof atomics / sizeof *atomics);
    tcase_add_test(rules, one_thread_gathers_nothing);
    tcase_add_loop_test(rules, neighbours_join, 0,
                        sizeof neighbours / sizeof *neighbours);
    tcase_add_loop_test(rules, wide_logic, 0, sizeof logic / sizeof *logic);
    tcase_add_test(rules, trips_join);
    tcase_add_test(rules, small_arrays);
    tcase_add_test(rules, divisors_are_shared);
    suite_add_tcase(suite, rules);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
