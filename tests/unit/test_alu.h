/* Runs single instructions, written as PTX, through the parser and the
 * arithmetic: what the tests of sim/alu.h share. */
#ifndef TEST_ALU_H
#define TEST_ALU_H

#include "base/text.h"
#include "sim/alu.h"
#include "tests/unit/test_alu_inputs.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, LEVELS = 3 };
static const char *const level_names[LEVELS] = {"portable", "avx2", "avx512"};

/* False when this host does not have that level. */
static inline bool use_level(int level)
{
    setenv("LAB_CPU", level_names[level], 1);
    return strcmp(alu_level(), level_names[level]) == 0;
}

/* Operands, destination first: h r d registers of 16, 32, 64 bits, p a
 * predicate, q two of them, i the immediate. */
struct form {
    const char *text, *operands;
    int immediate;
    enum family family;
};

/* ---- forms as PTX, an instruction each ------------------------------------ */
static inline void add_operand(struct text *t, const struct form *f, int i)
{
    char letter = f->operands[i];
    bool is_address = i == 1 && strncmp(f->text, "atom", 4) == 0;
    if (i > 0)
        text_puts(t, ", ");
    if (is_address)
        text_puts(t, "[%d9]");
    else if (letter == 'i')
        text_printf(t, "%d", f->immediate);
    else if (letter == 'q')
        text_puts(t, "%p0|%p1");
    else
        text_printf(t, "%%%c%d", letter, i);
}

/* The instructions are those of the function "k", in order. */
static inline struct ptx_program *load_forms(const struct form *(*form)(int),
                                             int count)
{
    struct text t = {0};
    struct error e;
    text_puts(&t, ".version 8.6\n.target sm_90\n.address_size 64\n"
                  ".visible .entry k()\n{\n.reg .b16 %h<10>;\n"
                  ".reg .b32 %r<10>;\n.reg .b64 %d<10>;\n.reg .pred %p<4>;\n");
    for (int i = 0; i < count; i++) {
        text_printf(&t, "%s ", form(i)->text);
        for (int k = 0; form(i)->operands[k]; k++)
            add_operand(&t, form(i), k);
        text_puts(&t, ";\n");
    }
    text_puts(&t, "ret;\n}\n");
    struct ptx_program *program = ptx_load("t.ptx", t.data, t.length, &e);
    ck_assert_msg(program != NULL, "%s", e.text);
    text_free(&t);
    ck_assert_int_ge(ptx_find_function(program, "k")->insn_count, count);
    return program;
}

/* ---- running one ---------------------------------------------------------- */
struct lanes {
    union {
        uint32_t r[LANES];
        uint64_t d[LANES];
    };
} __attribute__((aligned(64)));

static inline int width(char letter)
{
    return letter == 'h' ? 2 : letter == 'd' ? 8 : 4;
}
static inline uint64_t get(const struct lanes *x, char letter, int i)
{
    return letter == 'd' ? x->d[i] : x->r[i];
}
static inline void put(struct lanes *x, char letter, int i, uint64_t value)
{
    if (letter == 'd')
        x->d[i] = value;
    else
        x->r[i] = letter == 'h' ? (uint16_t)value : (uint32_t)value;
}

/* The fourth operand (a length) is made from two others; an immediate is the
 * same in all lanes. */
static inline void load_sources(struct lanes source[4], const struct form *f,
                                const struct inputs *in, int at)
{
    for (int k = 0; k < 4 && f->operands[k + 1]; k++)
        for (int i = 0; i < LANES; i++) {
            char letter = f->operands[k + 1];
            uint64_t value = k == 0   ? in->a[at + i]
                             : k == 1 ? in->b[at + i]
                             : k == 2 ? in->c[at + i]
                                      : (in->b[at + i] + in->c[at + i]) & 127;
            put(&source[k], letter == 'i' ? 'r' : letter, i,
                letter == 'i' ? (uint64_t)f->immediate : value);
        }
}

struct running {
    struct alu alu, second;
    alu_atomic_fn *cell;
};
static inline struct running find(const struct form *f,
                                  const struct ptx_insn *insn)
{
    struct running run = {0};
    if (insn->op == OP_ATOM) {
        run.cell = alu_atomic_find(insn->atomic, insn->type, insn->space);
        ck_assert_msg(run.cell != NULL, "no function for %s", f->text);
        return run;
    }
    run.alu = alu_find(insn, width(f->operands[0]), width(f->operands[1]));
    ck_assert_msg(run.alu.kind != ALU_NONE, "no function for %s", f->text);
    if (f->operands[0] == 'q')
        run.second = alu_find_second(insn);
    return run;
}

/* 32 results go to d; predicates and carries come back as masks. */
static inline uint32_t compute(const struct running *run, const struct form *f,
                               struct lanes s[4], struct lanes *d,
                               uint32_t *second)
{
    const uint32_t odd_lanes = 0xaaaaaaaa; /* these have a carry coming in */
    const void *e = run->alu.constant ? (const void *)&run->alu.constant
                                      : (const void *)&s[3];
    if (run->cell)
        for (int i = 0; i < LANES; i++)
            put(d, f->operands[0], i,
                run->cell(get(&s[0], f->operands[1], i),
                          get(&s[1], f->operands[2], i), 0));
    else if (run->alu.kind == ALU_VALUE)
        run->alu.value(d, &s[0], &s[1], &s[2], e);
    else if (run->alu.kind == ALU_CARRY)
        return run->alu.carry(d, &s[0], &s[1], &s[2], odd_lanes);
    else if (run->second.kind == ALU_COMPARE)
        *second = run->second.compare(&s[0], &s[1]);
    return run->alu.kind == ALU_COMPARE ? run->alu.compare(&s[0], &s[1]) : 0;
}

#endif
