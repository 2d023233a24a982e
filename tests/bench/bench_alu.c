/* How long 32 lanes of an instruction take, in nanoseconds, at each level of
 * the host's CPU that it has:
 *
 *     make build/libcommon.a
 *     cc -O2 -Icommon -I. tests/bench/bench_alu.c build/libcommon.a -lm -o bench
 *
 * The best of several rounds counts: others may use the machine too. */
#define _GNU_SOURCE
#include "sim/alu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LANES = 32, CALLS = 100000, ROUNDS = 15 };
static const char *const levels[] = {"portable", "avx2", "avx512"};

static const struct bench {
    const char *name;
    struct ptx_insn insn;
    int d_bytes, a_bytes;
    int uniform; /* b is the same in all lanes */
} benches[] = {
#define BENCH(name, OP, TYPE, d_bytes, a_bytes, uniform, ...) \
    {name,                                                    \
     {.op = OP_##OP, .type = PTX_##TYPE, __VA_ARGS__},        \
     d_bytes,                                                 \
     a_bytes,                                                 \
     uniform},
    BENCH("add.s32", ADD, S32, 4, 4, 0, ) BENCH(
        "add.s64", ADD, S64, 8, 8,
        0, ) BENCH("mul.lo.s32", MUL, S32, 4, 4, 0,
                   .flags = FLAG_LO) BENCH("mad.lo.s32", MAD, S32, 4, 4, 0,
                                           .flags = FLAG_LO)
        BENCH("mul.wide.u32", MUL, U32, 8, 4, 0, .flags = FLAG_WIDE) BENCH(
            "mul.hi.u64", MUL, U64, 8, 8, 0,
            .flags =
                FLAG_HI) BENCH("add.f32", ADD, F32, 4, 4, 0, .rounding = ROUND_RN)
            BENCH("add.rz.f32", ADD, F32, 4, 4, 0, .rounding = ROUND_RZ) BENCH(
                "add.ftz.f32", ADD,
                F32, 4,
                4, 0,
                .flags =
                    FLAG_FTZ) BENCH("fma.rn.f32", FMA, F32, 4, 4, 0, .rounding = ROUND_RN)
                BENCH("add.f64", ADD, F64, 8, 8, 0, .rounding = ROUND_RN) BENCH(
                    "div.rn.f32",
                    DIV, F32,
                    4, 4,
                    0,
                    .rounding =
                        ROUND_RN) BENCH("max.f32", MAX, F32, 4, 4, 0, )
                    BENCH("ex2.approx.f32", EX2, F32, 4, 4, 0, .flags = FLAG_APPROX) BENCH(
                        "sin.approx.f32",
                        SIN, F32,
                        4, 4,
                        0,
                        .flags =
                            FLAG_APPROX) BENCH("add.f16x2", ADD, F16X2, 4, 4, 0, .rounding = ROUND_RN)
                        BENCH("setp.lt.s32", SETP, S32, 4, 4, 0, .compare = CMP_LT) BENCH(
                            "setp.lt.u64", SETP, U64,
                            8, 8,
                            0,
                            .compare =
                                CMP_LT) BENCH("setp.lt.f32", SETP, F32, 4, 4, 0, .compare = CMP_LT)
                            BENCH("cvt.u64.u32", CVT, U64, 8, 4, 0, .type2 = PTX_U32) BENCH(
                                "cvt.u32.u64", CVT,
                                U32, 4,
                                8, 0,
                                .type2 =
                                    PTX_U64) BENCH("cvt.rn.f32.s32", CVT, F32, 4, 4, 0, .type2 = PTX_S32,
                                                   .rounding =
                                                       ROUND_RN)
                                BENCH("cvt.rzi.s32.f32", CVT, S32, 4, 4, 0,
                                      .type2 = PTX_F32,
                                      .rounding =
                                          ROUND_RZI)
                                    BENCH("cvt.rn.f16.f32", CVT, F16, 2, 4, 0,
                                          .type2 = PTX_F32,
                                          .rounding =
                                              ROUND_RN)
                                        BENCH("cvt.rni.u8.f64", CVT, U8, 2, 8,
                                              0,
                                              .type2 = PTX_F64,
                                              .rounding =
                                                  ROUND_RNI)
                                            BENCH("div.u32", DIV, U32, 4, 4, 0, ) BENCH(
                                                "rem.u32",
                                                REM, U32,
                                                4, 4,
                                                0, )
                                                BENCH("rem.u32 by one b", REM,
                                                      U32, 4,
                                                      4, 1, )
                                                    BENCH("rem.s32 by one b",
                                                          REM,
                                                          S32, 4, 4, 1, )
                                                        BENCH("div.u64", DIV,
                                                              U64, 8, 8, 0, )
                                                            BENCH("and.b32",
                                                                  AND, B32,
                                                                  4, 4,
                                                                  0, ) BENCH("s"
                                                                             "h"
                                                                             "l"
                                                                             "."
                                                                             "b"
                                                                             "3"
                                                                             "2",
                                                                             SHL,
                                                                             B32,
                                                                             4,
                                                                             4,
                                                                             0, )
                                                                BENCH(
                                                                    "shf.l."
                                                                    "wrap.b32",
                                                                    SHF, B32, 4,
                                                                    4, 0,
                                                                    .mode =
                                                                        MODE_LEFT,
                                                                    .flags =
                                                                        FLAG_WRAP)
                                                                    BENCH(
                                                                        "prmt."
                                                                        "b32",
                                                                        PRMT,
                                                                        B32, 4,
                                                                        4, 0, )
                                                                        BENCH(
                                                                            "po"
                                                                            "pc"
                                                                            ".b"
                                                                            "3"
                                                                            "2",
                                                                            POPC,
                                                                            B32,
                                                                            4,
                                                                            4,
                                                                            0, )
                                                                            BENCH(
                                                                                "bfe.u32",
                                                                                BFE,
                                                                                U32,
                                                                                4,
                                                                                4,
                                                                                0, )};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t a[LANES] __attribute__((aligned(64)));
static uint64_t b[LANES] __attribute__((aligned(64)));
static uint64_t c[LANES] __attribute__((aligned(64)));
static uint64_t d[LANES] __attribute__((aligned(64)));

static void fill(const struct bench *t)
{
    uint32_t *words[] = {(uint32_t *)a, (uint32_t *)b, (uint32_t *)c};
    for (int i = 0; i < 2 * LANES; i++)
        for (int k = 0; k < 3; k++)
            words[k][i] = k == 1 && t->uniform
                              ? 96
                              : (uint32_t)(0x3f800000 + 7919 * i + 131 * k);
}

static double ns_per_call(const struct bench *t)
{
    struct alu alu = alu_find(&t->insn, t->d_bytes, t->a_bytes);
    double best = 1e9;
    volatile uint32_t sink = 0;
    if (alu.kind == ALU_NONE)
        return -1;
    fill(t);
    c[0] = alu.constant ? alu.constant : c[0]; /* c serves as e, too */
    for (int round = 0; round < ROUNDS; round++) {
        double start = seconds(), elapsed;
        for (int i = 0; i < CALLS; i++)
            if (alu.kind == ALU_COMPARE)
                sink = alu.compare(a, b);
            else
                alu.value(d, a, b, c, c);
        elapsed = seconds() - start;
        best = elapsed < best ? elapsed : best;
    }
    (void)sink;
    return best * 1e9 / CALLS;
}

int main(void)
{
    printf("%-20s", "ns for 32 lanes");
    for (int l = 0; l < 3; l++)
        printf("%10s", levels[l]);
    printf("\n");
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++) {
        printf("%-20s", benches[i].name);
        for (int l = 0; l < 3; l++) {
            setenv("LAB_CPU", levels[l], 1);
            if (strcmp(alu_level(), levels[l]) == 0)
                printf("%10.1f", ns_per_call(&benches[i]));
        }
        printf("\n");
    }
    return 0;
}
