/* The checks, one small kernel in PTX a case: what each must catch, and the
 * near miss beside it that it must not. */
#include "device/device.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Line 10 of k.cu is where a case's body begins. */
#define HEAD                                                                \
    ".version 7.0\n.target sm_80\n.address_size 64\n"                       \
    ".file 1 \"k.cu\"\n.global .align 4 .u32 word;\n"                       \
    ".extern .shared .align 4 .b8 dyn[];\n"                                 \
    ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c)\n{\n"   \
    ".reg .pred %p<9>; .reg .f32 %f<12>; .reg .b32 %r<20>; .reg .b64 "      \
    "%d<12>;\n.local .align 4 .b8 own[64];\n.shared .align 4 .b8 s[256];\n" \
    "ld.param.u64 %d1, [a];\nld.param.u64 %d2, [b];\nld.param.u64 %d3, "    \
    "[c];\nmov.u32 %r1, %tid.x;\nmov.u32 %r9, %ctaid.x;\n"                  \
    "mov.u32 %r2, s;\nshl.b32 %r3, %r1, 2;\nadd.u32 %r2, %r2, %r3;\n"       \
    "mul.wide.u32 %d4, %r1, 4;\nadd.s64 %d5, %d1, %d4;\n"                   \
    ".loc 1 10 1\n"
#define TAIL ".loc 1 99 1\nend:\nret;\n}\n"
#define OTHER ".shared .align 4 .b8 other[256];\n"
#define GRID_SYNC                                        \
    "mov.u32 %r4, %envreg1;\nsetp.ne.u32 %p1, %r4, 0;\n" \
    "@%p1 bra end;\n.loc 1 12 1\ntrap;\n"
#define AT(line) ".loc 1 " #line " 1\n"

/* %r1 thread, %r2 its word of s[64], %d5 its word of in, %d2 out */
#define LOAD "ld.global.f32 %f1, [%d5];\n"
#define PUT "st.shared.f32 [%r2], %f1;\n"
#define ADD(reg) "red.global.add.f32 [%d2], " reg ";\n"
#define LANES_BELOW(n) "setp.lt.u32 %p1, %r1, " #n ";\n"

struct watch_case {
    const char *name, *check, *body;
    uint32_t block, n;
    const char *kind; /* NULL: nothing is found */
    int line, other_line;
    const char *says; /* part of the message */
};

static const struct watch_case cases[] = {
    /* bounds */
    {"last element", "bounds", "ld.global.f32 %f1, [%d5];\n" ADD("%f1"), 64, 64,
     NULL, 0, 0, NULL},
    {"one past the end", "bounds", "ld.global.f32 %f1, [%d5];\n", 64, 63,
     "out-of-bounds", 10, 0,
     "thread 63 reads in[63], 4 bytes past its end (n is 63 elements)"},
    {"before the start", "bounds", "ld.global.f32 %f1, [%d5+-8];\n", 32, 32,
     "out-of-bounds", 10, 0, "thread 0 reads in[-2], 8 bytes before its start"},
    {"null", "bounds", "mov.u64 %d6, 8;\nld.global.f32 %f1, [%d6];\n", 32, 32,
     "out-of-bounds", 10, 0, "null pointer"},
    {"vector over the end", "bounds",
     "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%d1+32];\n", 1, 10,
     "out-of-bounds", 10, 0, "reads in[8] to in[11], 8 bytes past its end"},
    {"vector, not aligned", "bounds",
     "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%d1+4];\n", 1, 16, "misaligned",
     10, 0, "reads 16 bytes at once at in[1]"},
    {"write to the input", "bounds", "st.global.f32 [%d5], 0f00000000;\n", 32,
     32, "input-written", 10, 0,
     "thread 0 writes in[0], which a kernel must not change"},
    {"shared, last word", "bounds", "mov.f32 %f1, 0f00000000;\n" PUT, 64, 64,
     NULL, 0, 0, NULL},
    {"shared, past the end", "bounds",
     "mov.f32 %f1, 0f00000000;\nst.shared.f32 [%r2+4], %f1;\n", 64, 64,
     "out-of-bounds", 10, 0,
     "thread 63 writes s[64], 4 bytes past its end (it has 64 elements"},
    {"no dynamic array", "bounds", "st.shared.f32 [%r2+512], 0f00000000;\n", 32,
     32, "out-of-bounds", 10, 0, "writes s[128]"},
    {"elements as large as what is stored", "bounds",
     "shl.b32 %r4, %r1, 3;\nmov.u32 %r5, s;\nadd.u32 %r5, %r5, %r4;\n"
     "st.shared.b64 [%r5], %d1;\n",
     64, 64, "out-of-bounds", 10, 0,
     "thread 32 writes s[32], 8 bytes past its end (it has 32 elements"},
    {"from one array into the next", "bounds",
     OTHER "st.shared.f32 [other], 0f00000000;\n" AT(
         12) "st.shared.f32 [%r2+4], 0f00000000;\n",
     64, 64, "out-of-bounds", 12, 0,
     "thread 63 writes s[64], 4 bytes past its end (it has 64 elements): that "
     "is other[0]"},
    {"from one array into the one before", "bounds",
     OTHER "ld.shared.f32 %f1, [other-4];\n", 64, 64, "out-of-bounds", 10, 0,
     "thread 0 reads other[-1], 4 bytes before its start: that is s[63]"},
    {"two arrays, each in its bounds", "bounds",
     OTHER "st.shared.f32 [other+252], 0f00000000;\n"
           "st.shared.f32 [%r2], 0f00000000;\n",
     64, 64, NULL, 0, 0, NULL},
    {"a pointer to the one or the other", "bounds",
     OTHER LANES_BELOW(32) "mov.u32 %r4, other;\n"
                           "selp.b32 %r5, %r2, %r4, %p1;\n"
                           "st.shared.f32 [%r5], 0f00000000;\n",
     64, 64, NULL, 0, 0, NULL},
    /* barrier */
    {"all come", "barrier", "bar.sync 0;\n", 96, 96, NULL, 0, 0, NULL},
    {"return, no barrier follows", "barrier",
     "bar.sync 0;\n" LANES_BELOW(40) "@%p1 bra end;\n" LOAD, 96, 96, NULL, 0, 0,
     NULL},
    {"return before a barrier", "barrier",
     LANES_BELOW(40) "@!%p1 bra end;\n" AT(12) "bar.sync 0;\n", 96, 96,
     "barrier-divergence", 12, 10, "threads 40 to 63 have ended"},
    {"barrier in a branch of warps", "barrier",
     LANES_BELOW(32) "@!%p1 bra over;\n" AT(12) "bar.sync 0;\nover:\n" AT(
         14) "bar.sync 0;\n",
     64, 64, "barrier-divergence", 12, 14, "at another one, at line 14"},
    {"copies of one barrier", "barrier",
     LANES_BELOW(32) "@!%p1 bra other;\n" AT(12) "bar.sync 0;\nbra on;\n"
                                                 "other:\n" AT(
                                                     12) "bar.sync 0;\non:\n",
     64, 64, NULL, 0, 0, NULL},
    {"half a warp", "barrier",
     LANES_BELOW(16) "@!%p1 bra over;\n" AT(12) "bar.sync 0;\nover:\n" AT(
         14) "add.u32 %r4, %r4, 1;\n",
     32, 32, "barrier-divergence", 12, 10, "line 10"},
    {"a barrier with a count", "barrier",
     LANES_BELOW(64) "@!%p1 bra end;\n" AT(12) "bar.sync 1, 64;\n", 96, 96,
     NULL, 0, 0, NULL},
    {"one that never opens", "barrier",
     LANES_BELOW(32) "@!%p1 bra end;\n" AT(12) "bar.sync 1, 64;\n", 64, 64,
     "barrier-divergence", 12, 0, "for ever"},
    /* mask */
    {"full mask", "mask", "shfl.sync.down.b32 %r4, %r1, 16, 31, -1;\n", 64, 64,
     NULL, 0, 0, NULL},
    {"mask without the caller", "mask",
     "shfl.sync.bfly.b32 %r4, %r1, 1, 31, 65535;\n", 32, 32, "bad-sync-mask",
     10, 0,
     "the mask 0x0000ffff of __shfl_xor_sync() lacks the bit of a lane "
     "that calls it: threads 16 to 31"},
    {"lanes elsewhere", "mask",
     LANES_BELOW(8) "@!%p1 bra over;\n" AT(
         12) "vote.sync.any.pred %p2, %p1, -1;\nover:\n" AT(14) "bar.warp.sync "
                                                                "-1;\n",
     32, 32, "bad-sync-mask", 12, 0, "names lanes 8 to 31 of warp 0"},
    {"lanes that ended", "mask",
     LANES_BELOW(8) "@!%p1 bra end;\n" AT(
         12) "vote.sync.any.pred %p2, %p1, -1;\n",
     32, 32, NULL, 0, 0, NULL},
    {"halves, each with its mask", "mask",
     LANES_BELOW(16) "selp.b32 %r5, 65535, -65536, %p1;\n"
                     "shfl.sync.bfly.b32 %r4, %r1, 8, 31, %r5;\n",
     32, 32, NULL, 0, 0, NULL},
    {"masks that differ", "mask",
     LANES_BELOW(16) "selp.b32 %r5, 65535, -1, %p1;\n"
                     "shfl.sync.bfly.b32 %r4, %r1, 8, 31, %r5;\n",
     32, 32, "bad-sync-mask", 10, 0, "different masks"},
    {"value of an absent lane, used", "mask",
     "mov.f32 %f1, 0f3F800000;\nmov.b32 %r6, %f1;\n"
     "shfl.sync.down.b32 %r4, %r6, 16, 31, -1;\nmov.b32 %f2, %r4;\n" ADD("%f2"),
     20, 20, "bad-sync-mask", 10, 0, "take no part"},
    {"value of an absent lane, dropped", "mask",
     "mov.f32 %f1, 0f3F800000;\nmov.b32 %r6, %f1;\n"
     "shfl.sync.down.b32 %r4, %r6, 16, 31, -1;\nmov.b32 %f2, "
     "%r4;\n" LANES_BELOW(4) "@%p1 red.global.add.f32 [%d2], %f2;\n",
     20, 20, NULL, 0, 0, NULL},
    /* progress */
    {"a loop that ends", "progress",
     "mov.u32 %r4, 0;\nagain:\nadd.u32 %r4, %r4, 1;\n"
     "setp.lt.u32 %p1, %r4, 5000;\n@%p1 bra again;\n",
     32, 32, NULL, 0, 0, NULL},
    {"a loop that does not", "progress",
     "mov.u32 %r4, 0;\nagain:\n" AT(12) "add.u32 %r4, %r4, 1;\nbra again;\n",
     32, 32, "no-progress", 12, 0, "still ran here"},
    {"a spin that asks nobody", "progress",
     "mov.u32 %r4, 0;\nagain:\n" AT(12) "setp.eq.u32 %p1, %r4, 0;\n"
                                        "@%p1 bra again;\n",
     32, 32, "no-progress", 12, 0, "in a loop that changes nothing"},
    {"a spin for nobody", "progress",
     "again:\n" AT(12) "ld.volatile.global.u32 %r4, [word];\n"
                       "setp.eq.u32 %p1, %r4, 0;\n@%p1 bra again;\n",
     32, 32, "no-progress", 12, 0, "nobody can go on"},
    {"a trap", "progress", LANES_BELOW(5) "@%p1 trap;\n", 32, 32, "trap", 10, 0,
     "in thread 0"},
    {"no trap", "progress", LANES_BELOW(0) "@%p1 trap;\n", 32, 32, NULL, 0, 0,
     NULL},
    /* uninitialized */
    {"written, then read", "uninitialized",
     LOAD PUT "bar.sync 0;\nld.shared.f32 %f2, [%r2];\n" ADD("%f2"), 64, 64,
     NULL, 0, 0, NULL},
    {"never written", "uninitialized", "ld.shared.f32 %f2, [%r2];\n" ADD("%f2"),
     64, 64, "uninitialized", 10, 0, "thread 0 reads s[0]"},
    {"half of them written", "uninitialized",
     LOAD LANES_BELOW(33) "@%p1 st.shared.f32 [%r2], %f1;\nbar.sync 0;\n" AT(
         12) "ld.shared.f32 %f2, [%r2];\n" ADD("%f2"),
     64, 64, "uninitialized", 12, 0, "thread 33 reads s[33]"},
    {"loaded, but dropped by a choice", "uninitialized",
     LOAD LANES_BELOW(33) "@%p1 st.shared.f32 [%r2], %f1;\nbar.sync 0;\n"
                          "ld.shared.f32 %f2, [%r2];\n"
                          "selp.f32 %f2, %f2, 0f00000000, %p1;\n" ADD("%f2"),
     64, 64, NULL, 0, 0, NULL},
    {"a vector that takes a neighbour along", "uninitialized",
     LOAD "setp.eq.u32 %p1, %r1, 0;\n@%p1 st.shared.f32 [s], %f1;\nbar.sync "
          "0;\nld.shared.v2.f32 {%f2, %f3}, [s];\n" ADD("%f2"),
     32, 32, NULL, 0, 0, NULL},
    {"an atomic on a word nobody wrote", "uninitialized",
     "atom.shared.add.u32 %r4, [s], 1;\ncvt.rn.f32.u32 %f1, %r4;\n" ADD("%f1"),
     32, 32, "uninitialized", 10, 0, "s[0]"},
    {"as an index", "uninitialized",
     "ld.shared.u32 %r4, [%r2];\nand.b32 %r4, %r4, 31;\n"
     "mul.wide.u32 %d6, %r4, 4;\nadd.s64 %d6, %d1, %d6;\n"
     "ld.global.f32 %f1, [%d6];\n" ADD("%f1"),
     32, 32, "uninitialized", 10, 0, "s[0]"},
    {"an array of its own", "uninitialized",
     "ld.local.f32 %f1, [own+8];\n" ADD("%f1"), 32, 32, "uninitialized", 10, 0,
     "the thread never has written"},
    {"a register", "uninitialized",
     LANES_BELOW(4) "@%p1 mov.f32 %f7, 0f3F800000;\n" AT(12) ADD("%f7"), 32, 32,
     "uninitialized", 12, 0, "variable"},
    {"a register, guarded", "uninitialized",
     LANES_BELOW(4) "@%p1 mov.f32 %f7, 0f3F800000;\n"
                    "@!%p1 mov.f32 %f7, 0f00000000;\n" ADD("%f7"),
     32, 32, NULL, 0, 0, NULL},
    /* suspicious */
    {"activemask as a mask", "suspicious",
     "activemask.b32 %r5;\nshfl.sync.down.b32 %r4, %r1, 16, 31, %r5;\n", 32, 32,
     "suspicious", 10, 0, "__activemask()"},
    {"activemask, from its first lane", "suspicious",
     "activemask.b32 %r5;\nshfl.sync.idx.b32 %r4, %r1, 0, 31, %r5;\n", 32, 32,
     NULL, 0, 0, NULL},
    {"cas, nobody looks", "suspicious",
     "mov.u32 %r6, 0;\nagain:\natom.global.cas.b32 %r4, [word], %r6, 5;\n"
     "add.u32 %r6, %r6, 1;\nsetp.lt.u32 %p1, %r6, 3;\n@%p1 bra again;\n",
     32, 32, "suspicious", 10, 0, "atomicCAS()"},
    {"cas that sets a flag once", "suspicious",
     "atom.global.cas.b32 %r4, [word], 0, 1;\n", 32, 32, NULL, 0, 0, NULL},
    {"a fraction cut off", "suspicious",
     LOAD "cvt.rzi.s32.f32 %r4, %f1;\ncvt.rn.f32.s32 %f1, %r4;\n" ADD("%f1"),
     32, 32, "suspicious", 10, 0, "loses its fraction"},
    {"cas, tried again", "suspicious",
     "mov.u32 %r6, 0;\nagain:\natom.global.cas.b32 %r4, [word], %r6, %r6;\n"
     "setp.ne.u32 %p1, %r4, %r6;\nmov.u32 %r6, %r4;\n@%p1 bra again;\n",
     32, 32, NULL, 0, 0, NULL},
    /* coverage */
    {"each once", "coverage", LOAD, 100, 100, NULL, 0, 0, NULL},
    {"one is dropped", "coverage",
     "setp.ne.u32 %p1, %r1, 70;\n@%p1 ld.global.f32 %f1, [%d5];\n", 100, 100,
     "coverage", 0, 0, "in[70] is never read"},
    {"some are dropped", "coverage", LOAD, 90, 100, "coverage", 0, 0,
     "10 of 100 elements are never read; the first is in[90]"},
    {"one is read again", "coverage",
     LOAD "setp.eq.u32 %p1, %r1, 7;\n@%p1 ld.global.f32 %f2, [%d5];\n", 100,
     100, "coverage", 0, 0, "in[7] is read more than once"},
    {"all lanes read one", "coverage", "ld.global.f32 %f1, [%d1];\n" LOAD, 64,
     64, "coverage", 0, 0, "in[0] is read more than once"},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* The same with more blocks than one. */
static const struct {
    uint32_t blocks;
    struct watch_case one;
} grids[] = {
    {40, {"grid.sync()", "progress", GRID_SYNC, 32, 32, NULL, 0, 0, NULL}},
    {5000,
     {"grid.sync() of more blocks than fit", "progress", GRID_SYNC, 32, 32,
      "trap", 12, 0, "which CUDA refuses for 5000 blocks of 32 threads"}},
    {5000,
     {"another trap", "progress", AT(12) "trap;\n", 32, 32, "trap", 12, 0,
      "the kernel gave up with a trap in thread 0"}},
};
enum { GRIDS = sizeof grids / sizeof grids[0] };

/* ---- running ----------------------------------------------------------------*/

static void launch_case(const struct watch_case *c, uint32_t grid,
                        struct device_result *result)
{
    struct error e = {""};
    float in[128] = {1};
    char text[6000];
    struct device *device = device_open("sim", &e);
    ck_assert_msg(device, "%s", e.text);
    snprintf(text, sizeof text, "%s%s%s", HEAD, c->body, TAIL);
    struct ptx_program *program = ptx_load("k.ptx", text, strlen(text), &e);
    ck_assert_msg(program, "%s: %s", c->name, e.text);
    struct device_module *module = device->ops->load(device, program, &e);
    ck_assert_msg(module, "%s: %s", c->name, e.text);
    for (int i = 0; i < 128; i++)
        in[i] = (float)(i + 1);
    struct device_buffer *input = device->ops->buffer_new(
        device, "in", c->n * sizeof(float), DEVICE_INPUT, in, &e);
    struct device_buffer *output =
        device->ops->buffer_new(device, "out", 256, DEVICE_DATA, NULL, &e);
    device->ops->fill(device, output, 0, &e);
    uint64_t params[] = {input->address, output->address, c->n};
    struct device_launch l = {.module = module,
                              .kernel = ptx_find_function(program, "k"),
                              .grid = {grid, 1, 1},
                              .block = {c->block, 1, 1},
                              .dynamic_shared = 1024,
                              .params = params,
                              .params_bytes = sizeof params,
                              .budget = 100000};
    ck_assert_msg(checks_parse(c->check, &l.checks, &e), "%s", e.text);
    ck_assert_msg(device->ops->launch(device, &l, result, &e), "%s: %s",
                  c->name, e.text);
    device->ops->buffer_free(device, input);
    device->ops->buffer_free(device, output);
    device->ops->unload(device, module);
    ptx_free(program);
    device_close(device);
}

static void check_case(const struct watch_case *c, uint32_t grid)
{
    struct device_result r;
    launch_case(c, grid, &r);
    const struct finding_list *list = &r.findings;
    if (!c->kind) {
        ck_assert_msg(list->count == 0, "%s: found %s: %s", c->name,
                      list->items[0].kind, list->items[0].message);
    } else {
        ck_assert_msg(list->count >= 1, "%s: found nothing", c->name);
        const struct finding *f = &list->items[0];
        ck_assert_msg(!strcmp(f->kind, c->kind), "%s: %s: %s", c->name, f->kind,
                      f->message);
        ck_assert_msg(f->line == c->line && f->other_line == c->other_line,
                      "%s: line %d, other %d: %s", c->name, f->line,
                      f->other_line, f->message);
        ck_assert_msg(strstr(f->message, c->says), "%s: %s", c->name,
                      f->message);
        ck_assert(f->hint && f->count >= 1);
    }
    device_result_free(&r);
}

START_TEST(finds)
{
    check_case(&cases[_i], 1);
}
END_TEST

START_TEST(finds_in_a_grid)
{
    check_case(&grids[_i].one, grids[_i].blocks);
}
END_TEST

/* ---- lists --------------------------------------------------------------------*/

START_TEST(names)
{
    struct error e;
    uint32_t bits;
    ck_assert(checks_parse("none", &bits, &e) && bits == 0);
    ck_assert(checks_parse("all", &bits, &e) && bits == checks_all());
    ck_assert(checks_parse("race,bounds", &bits, &e));
    ck_assert_int_eq(__builtin_popcount(bits), 2);
    ck_assert(checks_parse("all,coverage", &bits, &e));
    ck_assert_uint_eq(bits, (1u << check_count) - 1);
    ck_assert(!checks_parse("rase", &bits, &e));
    ck_assert(strstr(e.text, "'rase'") && strstr(e.text, "race"));
    ck_assert(!checks_parse("", &bits, &e) &&
              !checks_parse("race,", &bits, &e));
}
END_TEST

START_TEST(doubts)
{
    struct finding_list list = {0};
    struct finding f = {.kind = "uninitialized",
                        .line = 3,
                        .message = "m",
                        .depends_on = GARBAGE_SHARED};
    finding_add(&list, &f);
    f.depends_on = GARBAGE_LANES;
    f.kind = "bad-sync-mask";
    finding_add(&list, &f);
    ck_assert_uint_eq(finding_doubts(&list),
                      1u << GARBAGE_SHARED | 1u << GARBAGE_LANES);
    finding_settle(&list, GARBAGE_LANES, false);
    finding_settle(&list, GARBAGE_SHARED, true);
    ck_assert_int_eq(list.count, 1);
    ck_assert_str_eq(list.items[0].kind, "uninitialized");
    ck_assert_uint_eq(finding_doubts(&list), 0);
    finding_free(&list);
}
END_TEST

START_TEST(likeliest_cause_first)
{
    static const char *const kinds[] = {"race", "suspicious", "uninitialized",
                                        "barrier-divergence", "out-of-bounds"};
    struct finding_list list = {0};
    for (int i = 0; i < 5; i++) {
        struct finding f = {.kind = kinds[i],
                            .line = 1 + i,
                            .message = "m",
                            .severity =
                                i == 1 ? SEVERITY_WARNING : SEVERITY_ERROR};
        finding_add(&list, &f);
    }
    finding_sort(&list);
    ck_assert_str_eq(list.items[0].kind, "out-of-bounds");
    ck_assert_str_eq(list.items[1].kind, "barrier-divergence");
    ck_assert_str_eq(list.items[2].kind, "race");
    ck_assert_str_eq(list.items[4].kind, "suspicious");
    finding_free(&list);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("watch");
    TCase *tests = tcase_create("watch");
    tcase_set_timeout(tests, 30);
    tcase_add_loop_test(tests, finds, 0, CASES);
    tcase_add_loop_test(tests, finds_in_a_grid, 0, GRIDS);
    tcase_add_test(tests, names);
    tcase_add_test(tests, doubts);
    tcase_add_test(tests, likeliest_cause_first);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
