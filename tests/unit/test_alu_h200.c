/* The arithmetic against silicon: for every instruction form in
 * test_alu_h200.inc, the results on the operands of test_alu_inputs.h must
 * have the hash of those that an H200 gave, at every level of the host's CPU.
 *
 * The forms go through the PTX parser, as one kernel with an instruction a
 * row, so that this also shows that all of them are understood. */
#include "tests/unit/test_alu.h"

static const struct measured {
    struct form form;
    uint64_t hash;
} measured[] = {
#define H200(text, operands, immediate, family, hash) \
    {{text, operands, immediate, family}, hash},
#include "tests/unit/test_alu_h200.inc"
};
enum { FORM_COUNT = sizeof measured / sizeof *measured };

static struct ptx_program *program;
static struct inputs inputs[FAMILIES];

static const struct form *form(int i)
{
    return &measured[i].form;
}
static void load(void)
{
    program = load_forms(form, FORM_COUNT);
    for (int f = 0; f < FAMILIES; f++)
        fill_inputs(&inputs[f], (enum family)f);
}
static void unload(void)
{
    ptx_free(program);
}

static uint64_t hash_of(const struct form *f, const struct ptx_insn *insn)
{
    struct running run = find(f, insn);
    uint64_t hash = 0;
    for (int at = 0; at < INPUT_COUNT; at += LANES) {
        struct lanes source[4] = {0}, d = {0};
        uint32_t second = 0, mask;
        load_sources(source, f, &inputs[f->family], at);
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
    const struct ptx_insn *insns = ptx_find_function(program, "k")->insns;
    int wrong = 0;
    if (!use_level(_i))
        return;
    for (int i = 0; i < FORM_COUNT; i++)
        if (hash_of(form(i), &insns[i]) != measured[i].hash) {
            fprintf(stderr, "%s %s at level %s differs from the H200\n",
                    form(i)->text, form(i)->operands, level_names[_i]);
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
    tcase_add_unchecked_fixture(tests, load, unload);
    tcase_add_loop_test(tests, equals_an_h200, 0, LEVELS);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
