/* The simulator against a GPU: small random kernels, run on both, must leave
 * the same bytes.
 *
 *   conform [COUNT [FIRST_SEED]]     1000 kernels from seed 1
 *
 * A kernel is two warps of arithmetic on edge values with shuffles, votes,
 * branches, barriers and reductions in memory, none of whose results depends
 * on an order.  One that differs is written to build/conform-SEED.ptx.  Exit
 * status: 0 all the same, 1 some differ, 2 there is no GPU. */
#include "base/arena.h"
#include "base/random.h"
#include "device/device.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 64, WORDS = 12, SUMS = 8, LENGTH = 48 };
enum { IN_WORDS = THREADS * WORDS, OUT_WORDS = THREADS * WORDS + SUMS };

/* ---- making a kernel ----------------------------------------------------------- */

/* D is the destination; A, B, C sources; N a number 0..31; H 0..255. */
/* NOLINTBEGIN(bugprone-suspicious-missing-comma): some rows take two
 * lines. */
#define ONE_NAN "testp.notanumber.f32 %p1, D;\n\tselp.b32 D, 0x7fffffff, D, %p1"
/* Of two NaN the sum is one of them: the compiler may exchange the two. */
#define ONE_NAN_64                          \
    "testp.notanumber.f64 %p1, %fd1;\n\t"   \
    "mov.b64 %fd2, 0x7ff8000000000000;\n\t" \
    "selp.f64 %fd1, %fd2, %fd1, %p1;\n\t"
static const char *const arithmetic[] = {
    "add.u32 D, A, B",
    "sub.s32 D, A, B",
    "mul.lo.u32 D, A, B",
    "mul.hi.s32 D, A, B",
    "mul.hi.u32 D, A, B",
    "mad.lo.s32 D, A, B, C",
    "min.s32 D, A, B",
    "max.u32 D, A, B",
    "and.b32 D, A, B",
    "or.b32 D, A, B",
    "xor.b32 D, A, B",
    "not.b32 D, A",
    "shl.b32 D, A, B",
    "shr.s32 D, A, B",
    "shr.u32 D, A, B",
    "shr.u32 D, A, N",
    "popc.b32 D, A",
    "clz.b32 D, A",
    "brev.b32 D, A",
    "bfe.u32 D, A, B, C",
    "bfe.s32 D, A, N, N",
    "bfi.b32 D, A, B, N, N",
    "prmt.b32 D, A, B, C",
    "lop3.b32 D, A, B, C, H",
    "shf.l.wrap.b32 D, A, B, C",
    "shf.r.clamp.b32 D, A, B, C",
    /* ptxas takes it that no abs is negative, not even of the smallest. */
    "shr.s32 D, A, 1;\n\tabs.s32 D, D",
    "neg.s32 D, A",
    "add.rn.f32 D, A, B",
    "sub.rn.f32 D, A, B",
    "mul.rn.f32 D, A, B",
    "mul.rz.f32 D, A, B",
    "fma.rn.f32 D, A, B, C",
    "fma.rz.f32 D, A, B, C",
    "add.ftz.f32 D, A, B",
    "min.f32 D, A, B",
    "max.f32 D, A, B",
    /* Of a NaN they give some NaN (PTX ISA 9.7.3), and the driver's compiler
     * makes use of it, as in min(-a, -b) = -max(a, b). */
    "abs.f32 D, A;\n\t" ONE_NAN,
    "neg.f32 D, A;\n\t" ONE_NAN,
    "div.rn.f32 D, A, B",
    "sqrt.rn.f32 D, A",
    "cvt.rzi.s32.f32 D, A",
    "cvt.rni.u32.f32 D, A",
    "cvt.rn.f32.s32 D, A",
    "cvt.rz.f32.u32 D, A",
    "setp.lt.f32 %p1, A, B;\n\tselp.b32 D, A, C, %p1",
    "setp.geu.f32 %p1, A, B;\n\tselp.b32 D, A, C, %p1",
    "setp.gt.s32 %p1, A, B;\n\tselp.b32 D, C, B, %p1",
    "or.b32 D, A, 1;\n\tdiv.u32 D, B, D",
    "or.b32 D, A, 1;\n\trem.s32 D, B, D",
    "mul.wide.u32 %rd5, A, B;\n\tadd.u64 %rd5, %rd5, %rd6;\n\t"
    "mov.b64 {D, %r20}, %rd5",
    "mul.wide.s32 %rd6, A, B;\n\tshr.s64 %rd6, %rd6, N;\n\t"
    "cvt.u32.u64 D, %rd6",
    "cvt.f64.f32 %fd1, A;\n\tcvt.f64.f32 %fd2, B;\n\t"
    "fma.rn.f64 %fd1, %fd1, %fd2, %fd2;\n\tcvt.rn.f32.f64 D, %fd1;\n\t" ONE_NAN,
    "cvt.rn.f16.f32 %h1, A;\n\tcvt.rn.f16.f32 %h2, B;\n\t"
    "fma.rn.f16 %h1, %h1, %h2, %h2;\n\tcvt.f32.f16 D, %h1",
    "add.rn.f16x2 D, A, B",
    "mul.rn.f16x2 D, A, B",
    "fma.rn.f16x2 D, A, B, C",
    "min.f16x2 D, A, B",
    "max.NaN.bf16x2 D, A, B",
    "fma.rn.bf16x2 D, A, B, C",
    "cvt.rn.bf16.f32 %h1, A;\n\tcvt.f32.f16 D, %h1",
    "mov.b32 {%h1, %h2}, A;\n\tadd.s16 %h1, %h1, %h2;\n\t"
    "mul.wide.s16 D, %h1, %h2",
    "mov.b32 {%h1, %h2}, A;\n\tshr.u16 %h1, %h1, N;\n\t"
    "max.u16 %h2, %h1, %h2;\n\tmov.b32 D, {%h1, %h2}",
    "min.NaN.f32 D, A, B",
    "add.sat.f32 D, A, B",
    "add.rp.f32 D, A, B",
    "add.rm.ftz.f32 D, A, B",
    "div.rz.f32 D, A, B",
    "rcp.rn.f32 D, A",
    "cvt.rpi.s32.f32 D, A",
    "cvt.sat.u8.s32 D, A",
    "cvt.rmi.f32.f32 D, A",
    "add.cc.u32 D, A, B;\n\taddc.u32 D, D, C",
    "mad.hi.u32 D, A, B, C",
    "mul24.lo.s32 D, A, B",
    "sad.s32 D, A, B, C",
    "dp4a.s32.s32 D, A, B, C",
    "fns.b32 D, A, N, 1",
    "copysign.f32 D, A, B;\n\t" ONE_NAN,
    "testp.subnormal.f32 %p1, A;\n\tselp.b32 D, B, C, %p1",
    "slct.s32.f32 D, A, B, C",
    /* Of set and neg.f32 ptxas makes the negative of a whole number. */
    "set.lt.u32.f32 D, A, B;\n\txor.b32 D, D, C",
    "mov.b64 %rd5, {A, B};\n\tmov.b64 %rd6, {B, C};\n\t"
    "div.u64 %rd5, %rd6, %rd5;\n\tcvt.u32.u64 D, %rd5",
    "mov.b64 %rd5, {A, B};\n\tpopc.b64 D, %rd5",
    "mov.b64 %rd5, {A, B};\n\tmov.b64 %rd6, {B, C};\n\t"
    "mul.hi.s64 %rd5, %rd6, %rd5;\n\tshr.u64 %rd5, %rd5, N;\n\t"
    "cvt.u32.u64 D, %rd5",
    "mov.b64 %rd5, {A, B};\n\tmin.s64 %rd5, %rd5, %rd6;\n\t"
    "mov.b64 {%r20, D}, %rd5",
    "mov.b64 %fd1, {A, B};\n\tmov.b64 %fd2, {B, C};\n\t"
    "add.rn.f64 %fd1, %fd1, %fd2;\n\t" ONE_NAN_64 "mov.b64 {%r20, D}, %fd1",
    "mov.b64 %fd1, {A, B};\n\tmov.b64 %fd2, {C, A};\n\t"
    "div.rn.f64 %fd1, %fd1, %fd2;\n\t" ONE_NAN_64 "mov.b64 {D, %r20}, %fd1",
    "mov.b64 %fd1, {A, B};\n\tabs.f64 %fd1, %fd1;\n\t"
    "sqrt.rn.f64 %fd1, %fd1;\n\t" ONE_NAN_64 "mov.b64 {D, %r20}, %fd1",
    "mov.b64 %fd1, {A, B};\n\tcvt.rzi.s32.f64 D, %fd1",
    "cvt.rn.f64.s32 %fd1, A;\n\tmul.rn.f64 %fd1, %fd1, %fd1;\n\t"
    "cvt.rz.f32.f64 D, %fd1",
};
#define OWN(operation)                                                       \
    "st.shared.u32 [%r21], A;\n\tatom.shared." operation                     \
    " D, [%r21], B;\n\tld.shared.u32 %r20, [%r21];\n\txor.b32 D, D, %r20;\n" \
    "\tst.shared.u32 [%r21], 0;\n\tbar.sync 0"
#define LOW_HALF(operation) OWN(operation) ";\n\tand.b32 D, D, 0xffff"
static const char *const together[] = {
    "shfl.sync.bfly.b32 D, A, N, 31, -1",
    "shfl.sync.down.b32 D, A, N, 31, -1",
    "shfl.sync.up.b32 D, A, N, 0, -1",
    "shfl.sync.idx.b32 D, A, B, 31, -1",
    "shfl.sync.down.b32 D|%p1, A, N, 0x181f, -1;\n\tselp.b32 D, D, B, %p1",
    "setp.lt.s32 %p1, A, B;\n\tvote.sync.ballot.b32 D, %p1, -1",
    "setp.ne.s32 %p1, A, B;\n\tvote.sync.any.pred %p2, %p1, -1;\n\t"
    "selp.b32 D, A, C, %p2",
    "and.b32 D, A, 3;\n\tmatch.any.sync.b32 D, D, -1",
    "redux.sync.add.s32 D, A, -1",
    "redux.sync.max.s32 D, A, -1",
    "redux.sync.xor.b32 D, A, -1",
    /* A word each in shared memory, then another thread's. */
    "st.shared.u32 [%r21], A;\n\tbar.sync 0;\n\txor.b32 %r20, %r21, 252;\n\t"
    "ld.shared.u32 D, [%r20];\n\tbar.sync 0",
    "red.shared.add.u32 [words], A;\n\tbar.sync 0;\n\t"
    "ld.shared.u32 D, [words];\n\tbar.sync 0",
    "red.global.add.u32 [%rd4], A",
    "red.global.min.s32 [%rd4+4], A",
    "red.global.max.u32 [%rd4+8], A",
    "red.global.xor.b32 [%rd4+12], A",
    "red.global.and.b32 [%rd4+16], A",
    "red.global.or.b32 [%rd4+20], A",
    "setp.lt.s32 %p1, A, B;\n\tvote.sync.uni.pred %p2, %p1, -1;\n\t"
    "selp.b32 D, B, C, %p2",
    "setp.gt.f32 %p1, A, B;\n\tvote.sync.all.pred %p2, %p1, -1;\n\t"
    "selp.b32 D, B, C, %p2",
    "and.b32 D, A, 1;\n\tmatch.all.sync.b32 D|%p1, D, -1;\n\t"
    "selp.b32 D, D, C, %p1",
    "redux.sync.min.u32 D, A, -1",
    "redux.sync.and.b32 D, A, -1",
    "redux.sync.or.b32 D, A, -1",
    "activemask.b32 D",
    "mov.u32 D, %lanemask_lt;\n\tand.b32 D, D, A",
    "setp.gt.s32 %p1, A, B;\n\tbar.red.popc.u32 D, 0, %p1",
    /* Atomics on a word of the thread's own: the old value and the new. */
    OWN("add.f32"),
    OWN("exch.b32"),
    OWN("inc.u32"),
    OWN("dec.u32"),
    OWN("min.s32"),
    "st.shared.u32 [%r21], A;\n\tatom.shared.cas.b32 D, [%r21], B, C;\n\t"
    "ld.shared.u32 %r20, [%r21];\n\txor.b32 D, D, %r20;\n\tbar.sync 0",
    /* The H200 changes only the low half in shared memory, whatever the ISA
     * says; the simulator does as the ISA says: the low halves must agree. */
    LOW_HALF("add.noftz.f16x2"),
};
/* NOLINTEND(bugprone-suspicious-missing-comma) */

struct text_out {
    char *at, *end;
};
static void put(struct text_out *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void put(struct text_out *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int used = vsnprintf(t->at, (size_t)(t->end - t->at), format, list);
    va_end(list);
    t->at += used < t->end - t->at ? used : t->end - t->at - 1;
}

/* A, B and C are three different registers: of min(x, x) the driver's compiler
 * makes x, which matters if x is a NaN. */
static void pick_sources(unsigned source[3], struct random *r)
{
    for (int i = 0; i < 3; i++) {
        source[i] = (unsigned)random_below(r, WORDS);
        if ((i > 0 && source[i] == source[0]) ||
            (i > 1 && source[i] == source[1]))
            i--;
    }
}

static void put_step(struct text_out *t, const char *step, struct random *r)
{
    unsigned d = (unsigned)random_below(r, WORDS), source[3];
    pick_sources(source, r);
    put(t, "\t");
    for (const char *c = step; *c; c++) {
        bool is_alone = (c == step || strchr(" {[|,", c[-1])) &&
                        (!c[1] || strchr(",;|]} ", c[1]));
        if (!is_alone || !strchr("DABCNH", *c))
            put(t, "%c", *c);
        else if (*c == 'D')
            put(t, "%%r%u", d);
        else if (*c == 'N')
            put(t, "%u", (unsigned)random_below(r, 32));
        else if (*c == 'H')
            put(t, "%u", (unsigned)random_below(r, 256));
        else
            put(t, "%%r%u", source[*c - 'A']);
    }
    put(t, ";\n");
}

#define PICK(list, r) list[random_below(r, sizeof(list) / sizeof *(list))]

/* Lanes go two ways and meet again. */
static void put_branch(struct text_out *t, int label, struct random *r)
{
    put(t, "\tsetp.gt.s32 %%p3, %%r%u, %%r%u;\n\t@%%p3 bra ELSE_%d;\n",
        (unsigned)random_below(r, WORDS), (unsigned)random_below(r, WORDS),
        label);
    for (int i = 0; i < 3; i++)
        put_step(t, PICK(arithmetic, r), r);
    put(t, "\tbra.uni MEET_%d;\nELSE_%d:\n", label, label);
    for (int i = 0; i < 2; i++)
        put_step(t, PICK(arithmetic, r), r);
    put(t, "MEET_%d:\n\tbar.warp.sync -1;\n", label);
}

/* The first `length` steps of the kernel; gives where the last one stands. */
static const char *make_kernel(uint64_t seed, int length, char *text,
                               size_t size)
{
    struct random r = {seed};
    struct text_out t = {text, text + size};
    const char *last = text;

    put(&t,
        ".version 7.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
        "\t.reg .b32 %%r<24>;\n\t.reg .b64 %%rd<8>;\n"
        "\t.reg .f64 %%fd<3>;\n\t.reg .b16 %%h<3>;\n"
        "\t.reg .pred %%p<4>;\n\t.shared .align 4 .b8 words[256];\n"
        "\tld.param.u64 %%rd1, [in];\n\tld.param.u64 %%rd2, [out];\n"
        "\tmov.u32 %%r22, %%tid.x;\n\tmov.u32 %%r21, words;\n"
        "\tshl.b32 %%r23, %%r22, 2;\n\tadd.u32 %%r21, %%r21, %%r23;\n"
        "\tmul.wide.u32 %%rd3, %%r22, %d;\n\tadd.u64 %%rd1, %%rd1, %%rd3;\n"
        "\tadd.u64 %%rd4, %%rd2, %d;\n\tadd.u64 %%rd2, %%rd2, %%rd3;\n"
        "\tmov.u64 %%rd5, 0;\n\tmov.u64 %%rd6, 77;\n"
        "\tst.shared.u32 [%%r21], 0;\n\tbar.sync 0;\n",
        WORDS * 4, THREADS * WORDS * 4);
    for (int i = 0; i < WORDS; i++)
        put(&t, "\tld.global.u32 %%r%d, [%%rd1+%d];\n", i, 4 * i);
    for (int i = 0; i < length; i++) {
        uint64_t kind = random_below(&r, 10);
        last = t.at;
        if (kind == 0)
            put_branch(&t, i, &r);
        else
            put_step(&t, kind < 4 ? PICK(together, &r) : PICK(arithmetic, &r),
                     &r);
    }
    for (int i = 0; i < WORDS; i++)
        put(&t, "\tst.global.u32 [%%rd2+%d], %%r%d;\n", 4 * i, i);
    put(&t, "\tret;\n}\n");
    return last;
}

/* ---- running it ----------------------------------------------------------------- */

static void make_input(uint64_t seed, uint32_t *in)
{
    static const uint32_t edges[] = {
        0,          1,          0xffffffff, 0x7fffffff, 0x80000000,
        0x80000001, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
        0x7fc00000, 0x7f800001, 0x00800000, 0x807fffff, 0x4b000000,
        0x4effffff, 0xcf000000, 31,         32,         33};
    struct random r = {seed ^ 0x5555};
    for (int i = 0; i < IN_WORDS; i++)
        in[i] = random_below(&r, 3) == 0 ? PICK(edges, &r)
                                         : (uint32_t)random_next(&r);
}

static bool run(struct device *d, const struct ptx_program *program,
                const uint32_t *in, uint32_t *out, struct error *e)
{
    const struct device_ops *ops = d->ops;
    struct device_module *module = ops->load(d, program, e);
    struct device_buffer *a = NULL, *b = NULL;
    struct device_result result = {0};
    bool ok =
        module &&
        (a = ops->buffer_new(d, "in", IN_WORDS * 4, DEVICE_DATA, NULL, e)) &&
        (b = ops->buffer_new(d, "out", OUT_WORDS * 4, DEVICE_DATA, NULL, e)) &&
        ops->upload(d, a, 0, in, IN_WORDS * 4, e) && ops->fill(d, b, 0, e);
    if (ok) {
        uint64_t params[] = {a->address, b->address};
        const struct device_launch launch = {
            .module = module,
            .kernel = ptx_find_function(program, "k"),
            .grid = {1, 1, 1},
            .block = {THREADS, 1, 1},
            .params = params,
            .params_bytes = sizeof params,
            .threads = 1};
        ok = ops->launch(d, &launch, &result, e) &&
             ops->download(d, b, 0, out, OUT_WORDS * 4, e);
        if (ok && result.stop != DEVICE_DONE)
            ok = error_set(e, "it stopped: %s",
                           result.findings.count
                               ? result.findings.items[0].message
                               : "why?");
    }
    device_result_free(&result);
    ops->buffer_free(d, a);
    ops->buffer_free(d, b);
    if (module)
        ops->unload(d, module);
    return ok;
}

struct outcome {
    uint32_t here[OUT_WORDS], there[OUT_WORDS];
    char text[1 << 16];
    const char *last; /* in text */
};

/* Runs the first `length` steps on both; without a GPU on the simulator. */
static bool run_both(struct device *sim, struct device *cuda, uint64_t seed,
                     int length, struct outcome *o, struct error *e)
{
    uint32_t in[IN_WORDS];

    o->last = make_kernel(seed, length, o->text, sizeof o->text);
    make_input(seed, in);
    struct ptx_program *program =
        ptx_load("conform.ptx", o->text, strlen(o->text), e);
    bool ok = program && run(sim, program, in, o->here, e) &&
              (!cuda || run(cuda, program, in, o->there, e));
    if (!cuda)
        memcpy(o->there, o->here, sizeof o->there);
    if (program)
        ptx_free(program);
    return ok;
}

/* The shortest beginning of the kernel that differs: its last step did it. */
static void print_difference(struct device *sim, struct device *cuda,
                             uint64_t seed)
{
    static struct outcome o;
    uint32_t before[OUT_WORDS] = {0};
    struct error e;
    int length = 0, at = 0;

    do {
        memcpy(before, o.here, sizeof before);
        if (!run_both(sim, cuda, seed, ++length, &o, &e))
            return;
    } while (length < LENGTH && !memcmp(o.here, o.there, sizeof o.here));
    while (at < OUT_WORDS - 1 && o.here[at] == o.there[at])
        at++;
    printf("  step %d, thread %d, %%r%d: simulator %08x, GPU %08x; before:",
           length, at / WORDS, at % WORDS, o.here[at], o.there[at]);
    for (int k = 0; k < WORDS && at / WORDS < THREADS; k++)
        printf(" %08x", before[at / WORDS * WORDS + k]);
    printf("\n%.*s", (int)(strstr(o.last, "\tst.global.u32 [%rd2+0]") - o.last),
           o.last);
}

static bool is_same(struct device *sim, struct device *cuda, uint64_t seed)
{
    static struct outcome o;
    char path[64];
    struct error e;
    bool ok = run_both(sim, cuda, seed, LENGTH, &o, &e);

    if (!ok) {
        printf("seed %llu: %s\n", (unsigned long long)seed, e.text);
    } else if (memcmp(o.here, o.there, sizeof o.here) != 0) {
        ok = false;
        printf("seed %llu differs\n", (unsigned long long)seed);
        print_difference(sim, cuda, seed);
    }
    snprintf(path, sizeof path, "build/conform-%llu.ptx",
             (unsigned long long)seed);
    FILE *file = ok ? NULL : fopen(path, "w");
    if (file) {
        fputs(o.text, file);
        fclose(file);
    }
    return ok;
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct error e;
    uint64_t same = 0;
    struct device *sim = device_open("sim", &e);
    struct device *cuda = device_open("cuda", &e);

    if (!cuda)
        printf("%s: the simulator alone runs the kernels\n", e.text);
    for (uint64_t k = 0; k < count; k++)
        same += is_same(sim, cuda, first + k);
    printf("%llu of %llu kernels leave the same bytes\n",
           (unsigned long long)same, (unsigned long long)count);
    device_close(sim);
    int status = same != count ? 1 : cuda ? 0 : 2;
    device_close(cuda);
    return status;
}
