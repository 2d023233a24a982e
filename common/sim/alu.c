/* Which function computes an instruction, on this host.
 *
 *   alu_lanes_integer.c  add sub mul mad sad min max dp4a, carries
 *   alu_lanes_divide.c   div and rem of integers
 *   alu_lanes_bits.c     logic, shifts, bit fields, prmt
 *   alu_lanes_compare.c  setp, set, testp
 *   alu_lanes_float.c    f32 and f64, rounded to nearest
 *   alu_lanes_round.c    f32 and f64 with .rz .rm .rp
 *   alu_lanes_half.c     f16, bf16 and pairs of them
 *   alu_lanes_approx.c   sin, ex2, ... and .approx
 *   alu_lanes_convert.c  cvt, planned by alu_plan.c
 *
 * Each of them lists its functions in a table.  An instruction is boiled down
 * to a row as well, and the first equal row has the function.  This happens
 * once, while a program is decoded.
 *
 * How to compile.  The files alu_lanes_*.c once per level:
 *   always    -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math
 *   portable  -DALU_LEVEL=portable (the default)
 *   avx2      -DALU_LEVEL=avx2 -mavx2 -mfma -mf16c
 *   avx512    -DALU_LEVEL=avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl
 *             -mfma -mf16c -mprefer-vector-width=512
 * avx2 and avx512 on x86-64 only, both or none: with both, -DALU_X86=1. */
#include "sim/alu_convert.h"
#include "sim/alu_lanes.h"
#include <stdlib.h>

#ifndef ALU_X86
#define ALU_X86 0 /* the Makefile says 1 where it compiles avx2 and avx512 */
#endif

/* clang-format off */
#define TABLES(X, level)                                                     \
    X(alu_integer, level) X(alu_divide, level) X(alu_bits, level)            \
    X(alu_compare, level) X(alu_float, level)                                \
    X(alu_round, level) X(alu_halves, level) X(alu_approx, level)
/* clang-format on */
#define DECLARE(name, level) extern const struct alu_table name##_##level;
#define REFER(name, level) &name##_##level,

enum level { PORTABLE, AVX2, AVX512 };
static const char *const level_names[] = {"portable", "avx2", "avx512"};
TABLES(DECLARE, portable)
extern const struct alu_converter alu_converter_portable;
#if ALU_X86
TABLES(DECLARE, avx2)
TABLES(DECLARE, avx512)
extern const struct alu_converter alu_converter_avx2, alu_converter_avx512;
#endif
static const struct alu_table *const portable[] = {TABLES(REFER, portable)};
#if ALU_X86
static const struct alu_table *const avx2[] = {TABLES(REFER, avx2)};
static const struct alu_table *const avx512[] = {TABLES(REFER, avx512)};
static const struct alu_table *const *const levels[] = {portable, avx2, avx512};
static const struct alu_converter *const converters[] = {
    &alu_converter_portable, &alu_converter_avx2, &alu_converter_avx512};
#else
static const struct alu_table *const *const levels[] = {portable};
static const struct alu_converter *const converters[] = {
    &alu_converter_portable};
#endif
enum { TABLE_COUNT = sizeof portable / sizeof *portable };

static enum level host_level(void)
{
#if ALU_X86
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return PORTABLE;
    if (!__builtin_cpu_supports("avx512f") ||
        !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return AVX2;
    return AVX512;
#else
    return PORTABLE;
#endif
}

/* LAB_CPU can only ask for less than the host has: more would crash. */
static enum level chosen_level(void)
{
    enum level best = host_level();
    const char *wish = getenv("LAB_CPU");
    for (enum level l = PORTABLE; wish && l <= best; l++)
        if (strcmp(wish, level_names[l]) == 0)
            return l;
    return best;
}

const char *alu_level(void)
{
    return level_names[chosen_level()];
}

/* ---- an instruction as a row --------------------------------------------- */
enum {
    FORM_FLAGS = FLAG_FTZ | FLAG_SAT | FLAG_APPROX | FLAG_FULL | FLAG_WIDE |
                 FLAG_HI | FLAG_LO | FLAG_CC | FLAG_SHIFTAMT | FLAG_NAN |
                 FLAG_XORSIGN | FLAG_RELU | FLAG_WRAP | FLAG_CLAMP
};

static bool is_float(enum ptx_type type)
{
    return ptx_type_kind(type) == KIND_FLOAT ||
           ptx_type_kind(type) == KIND_PACKED;
}

/* add, sub and mul of floats round to nearest when they do not say. */
static uint8_t rounding_of(const struct ptx_insn *insn)
{
    bool rounds = insn->op == OP_ADD || insn->op == OP_SUB ||
                  insn->op == OP_MUL || insn->op == OP_FMA ||
                  insn->op == OP_MAD;
    if (rounds && is_float(insn->type) && insn->rounding == ROUND_NONE)
        return ROUND_RN;
    return insn->rounding;
}

static uint8_t how_of(const struct ptx_insn *insn)
{
    switch (insn->op) {
    case OP_SETP:
    case OP_SET: return insn->compare;
    case OP_SHF:
    case OP_PRMT:
    case OP_SZEXT:
    case OP_BMSK:
    case OP_TESTP: return insn->mode;
    default: return rounding_of(insn);
    }
}

static struct alu_row row_of(const struct ptx_insn *insn)
{
    struct alu_row row = {.op = insn->op,
                          .type = insn->type,
                          .type2 = insn->type2,
                          .how = how_of(insn),
                          .flags = insn->flags & FORM_FLAGS};
    if (insn->op == OP_SET) { /* compares what the second type says */
        row.op = OP_SETP;
        row.type = insn->type2;
        row.type2 = PTX_NONE;
    }
    if (insn->op == OP_MAD && is_float(insn->type))
        row.op = OP_FMA;
    /* mul and mul24 need .lo, .hi or .wide; old text leaves .lo out in mad24 */
    return row;
}

static bool same_form(const struct alu_row *x, const struct alu_row *y)
{
    return x->op == y->op && x->type == y->type && x->type2 == y->type2 &&
           x->how == y->how && x->flags == y->flags;
}

static struct alu search(const struct alu_row *wanted)
{
    const struct alu_table *const *tables = levels[chosen_level()];
    for (int t = 0; t < TABLE_COUNT; t++)
        for (size_t r = 0; r < tables[t]->count; r++)
            if (same_form(&tables[t]->rows[r], wanted))
                return tables[t]->rows[r].alu;
    return (struct alu){.kind = ALU_NONE};
}

static struct alu find_conversion(const struct ptx_insn *insn, int d_bytes,
                                  int a_bytes)
{
    const struct alu_converter *converter = converters[chosen_level()];
    bool packs = ptx_type_kind(insn->type) == KIND_PACKED;
    uint64_t plan = alu_plan(insn, d_bytes, a_bytes);
    struct alu alu = {.kind = ALU_VALUE, .constant = plan};
    if (plan == 0 || packs != (insn->operand_count == 3))
        return (struct alu){.kind = ALU_NONE};
    alu.value = packs           ? converter->pack
                : plan >> 8 > 0 ? converter->run_plan
                                : converter->passes[plan];
    return alu;
}

struct alu alu_find(const struct ptx_insn *insn, int d_bytes, int a_bytes)
{
    struct alu_row wanted = row_of(insn);
    if (insn->op == OP_CVT)
        return find_conversion(insn, d_bytes, a_bytes);
    return search(&wanted);
}

struct alu alu_find_second(const struct ptx_insn *insn)
{
    struct alu_row wanted = row_of(insn);
    wanted.flags |= ALU_HIGH_HALF;
    return search(&wanted);
}
