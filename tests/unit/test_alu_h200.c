/* The arithmetic against silicon: for every instruction form in
 * test_alu_h200.inc, the results on the operands of test_alu_inputs.h must
 * have the hash of those that an H200 gave, at every level of the host's CPU.
 *
 * The forms go through the PTX parser, as one kernel with an instruction a
 * row, so that this also shows that all of them are understood. */
#include "base/text.h"
#include "sim/alu.h"
#include "tests/unit/test_alu_inputs.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32 };
static const char *const level_names[] = {"portable", "avx2", "avx512"};

static const struct form {
    const char *text, *operands;
    int immediate;
    enum family family;
    uint64_t hash;
} forms[] = {
#define H200(text, operands, immediate, family, hash) \
    {text, operands, immediate, family, hash},
#include "tests/unit/test_alu_h200.inc"
};
enum { FORM_COUNT = sizeof forms / sizeof *forms };

/* ---- the rows as PTX ------------------------------------------------------ */
static void add_operand(struct text *t, const struct form *f, int i)
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

static struct ptx_program *program;
static const struct ptx_function *kernel;
static struct inputs inputs[FAMILIES];

static void load_forms(void)
{
    struct text t = {0};
    struct error e;
    text_puts(&t, ".version 8.6\n.target sm_90\n.address_size 64\n"
                  ".visible .entry k()\n{\n.reg .b16 %h<10>;\n"
                  ".reg .b32 %r<10>;\n.reg .b64 %d<10>;\n.reg .pred %p<4>;\n");
    for (int i = 0; i < FORM_COUNT; i++) {
        text_printf(&t, "%s ", forms[i].text);
        for (int k = 0; forms[i].operands[k]; k++)
            add_operand(&t, &forms[i], k);
        text_puts(&t, ";\n");
    }
    text_puts(&t, "ret;\n}\n");
    program = ptx_load("forms.ptx", t.data, t.length, &e);
    ck_assert_msg(program != NULL, "%s", e.text);
    text_free(&t);
    kernel = ptx_find_function(program, "k");
    ck_assert_int_ge(kernel->insn_count, FORM_COUNT);
    for (int f = 0; f < FAMILIES; f++)
        fill_inputs(&inputs[f], (enum family)f);
}

static void unload_forms(void)
{
    ptx_free(program);
}

/* ---- running one ---------------------------------------------------------- */
struct lanes {
    union {
        uint32_t r[LANES];
        uint64_t d[LANES];
    };
} __attribute__((aligned(64)));

static int width(char letter)
{
    return letter == 'h' ? 2 : letter == 'd' ? 8 : 4;
}
static uint64_t get(const struct lanes *x, char letter, int i)
{
    return letter == 'd' ? x->d[i] : x->r[i];
}
static void put(struct lanes *x, char letter, int i, uint64_t value)
{
    if (letter == 'd')
        x->d[i] = value;
    else
        x->r[i] = letter == 'h' ? (uint16_t)value : (uint32_t)value;
}

/* The fourth operand (a length) is made from two others; an immediate is the
 * same in all lanes. */
static void load_sources(struct lanes source[4], const struct form *f, int at)
{
    const struct inputs *in = &inputs[f->family];
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
static struct running find(const struct form *f, const struct ptx_insn *insn)
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
static uint32_t compute(const struct running *run, const struct form *f,
                        struct lanes s[4], struct lanes *d, uint32_t *second)
{
    const uint32_t odd_lanes = 0xaaaaaaaa; /* these have a carry coming in */
    const void *e = run->alu.e ? run->alu.e : &s[3];
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

static uint64_t hash_of(const struct form *f, const struct ptx_insn *insn)
{
    struct running run = find(f, insn);
    uint64_t hash = 0;
    for (int at = 0; at < INPUT_COUNT; at += LANES) {
        struct lanes source[4], d;
        uint32_t second = 0, mask;
        load_sources(source, f, at);
        mask = compute(&run, f, source, &d, &second);
        for (int i = 0; i < LANES; i++) {
            uint64_t bit = mask >> i & 1, high = second >> i & 1;
            bool compares = run.alu.kind == ALU_COMPARE;
            hash = random_mix(hash ^ (compares ? bit | high << 1
                                               : get(&d, f->operands[0], i)));
            if (run.alu.kind == ALU_CARRY)
                hash = random_mix(hash ^ bit);
        }
    }
    return hash;
}

START_TEST(equals_an_h200)
{
    const char *level = level_names[_i];
    int wrong = 0;
    setenv("LAB_CPU", level, 1);
    if (strcmp(alu_level(), level) != 0)
        return; /* this host does not have it */
    for (int i = 0; i < FORM_COUNT; i++)
        if (hash_of(&forms[i], &kernel->insns[i]) != forms[i].hash) {
            fprintf(stderr, "%s %s at level %s differs from the H200\n",
                    forms[i].text, forms[i].operands, level);
            wrong++;
        }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("alu_h200");
    TCase *tests = tcase_create("h200");
    SRunner *runner = srunner_create(suite);
    tcase_add_unchecked_fixture(tests, load_forms, unload_forms);
    tcase_add_loop_test(tests, equals_an_h200, 0, 3);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
