/* Any PTX into the simulator: whatever loads is launched, several times, and
 * every way must give the same.
 *
 * An input is PTX text.  Its first line may say how to launch it:
 *
 *     //! grid block.x block.y block.z shared order seed resident swap
 *
 * With -DFUZZ_MAIN (and without the fuzzer) it is a program that takes files
 * by name: the regression test over tests/fuzz/corpus.  tests/fuzz/README.md
 * says how to fuzz on. */
#include "base/text.h"
#include "tests/support/witness.h"
#include "watch/checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 4096, MAX_KERNELS = 4, BUDGET = 2000 };

struct shape {
    uint32_t grid, block[3], shared, order, seed, resident, swap;
};

/* All that a launch leaves behind. */
struct outcome {
    struct error error;
    bool ran;
    struct launch_result result;
    uint8_t data[BUFFER_BYTES];
    struct finding_list findings;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what, const char *detail)
{
    fprintf(stderr, "%s: %s\n", what, detail);
    abort();
}

static struct shape read_shape(const uint8_t *data, size_t size)
{
    uint32_t n[9] = {2, 48, 1, 1, 0, 0, 8, 0, 0};
    char line[128] = "";
    size_t length = size < sizeof line - 1 ? size : sizeof line - 1;
    memcpy(line, data, length);
    line[strcspn(line, "\r\n")] = '\0';
    const char *at = strncmp(line, "//!", 3) == 0 ? line + 3 : "";
    for (int k = 0; k < 9; k++) {
        char *end;
        unsigned long value = strtoul(at, &end, 10);
        if (end == at)
            break;
        n[k] = (uint32_t)value;
        at = end;
    }
    return (struct shape){.grid = n[0] % 150,
                          .block = {n[1] % 1025, n[2] % 9, n[3] % 9},
                          .shared = n[4] % 4096,
                          .order = n[5] % 3,
                          .seed = n[6],
                          .resident = n[7] % 64,
                          .swap = n[8] & 1};
}

/* Eight-byte parameters are pointers to the input and the output, and then
 * numbers; the rest is a small number too. */
static size_t lay_params(const struct ptx_function *kernel, uint8_t *bytes,
                         const struct buffer *const buffers[2], uint32_t swap)
{
    size_t at = 0;
    for (int k = 0; k < kernel->param_count; k++) {
        const struct ptx_variable *p = kernel->params[k];
        size_t align = (size_t)p->align;
        uint64_t value = 300;
        bool is_output = k == (int)swap || kernel->param_count == 1;
        at = (at + align - 1) / align * align;
        if (at + p->bytes > 4096)
            break;
        if (p->bytes == 8 && k < 2)
            value = buffers[is_output]->address;
        memcpy(bytes + at, &value, p->bytes < 8 ? p->bytes : 8);
        at += p->bytes;
    }
    return at;
}

static void fill_buffers(struct buffer *const buffers[2])
{
    for (uint32_t i = 0; i < BUFFER_BYTES / 4; i++) {
        float value = (float)(i % 100) - 50;
        memcpy(buffers[0]->data + (size_t)4 * i, &value, 4);
    }
    memset(buffers[1]->data, 0, BUFFER_BYTES);
}

static void launch_with(struct outcome *o, const struct ptx_program *program,
                        const struct ptx_function *kernel,
                        const struct shape *s, int threads,
                        struct watcher **watchers, int watcher_count)
{
    struct memory memory;
    uint8_t params[4096] = {0};
    memory_init(&memory);
    struct buffer *buffers[2] = {
        memory_add(&memory, "in", BUFFER_BYTES, BUFFER_INPUT, &o->error),
        memory_add(&memory, "out", BUFFER_BYTES, BUFFER_DATA, &o->error)};
    fill_buffers(buffers);
    struct module *module = module_load(program, &memory, &o->error);
    if (module) {
        struct launch launch = {
            .module = module,
            .kernel = kernel,
            .grid = {s->grid, 1, 1},
            .block = {s->block[0], s->block[1], s->block[2]},
            .dynamic_shared = s->shared,
            .params = params,
            .order = (enum block_order)s->order,
            .seed = s->seed,
            .budget = BUDGET,
            .threads = threads,
            .resident = s->resident,
            .watchers = watchers,
            .watcher_count = watcher_count,
        };
        launch.params_bytes = lay_params(
            kernel, params, (const struct buffer *const *)buffers, s->swap);
        o->ran = launch_run(&launch, &o->result, &o->error);
        memcpy(o->data, buffers[1]->data, BUFFER_BYTES);
        module_free(module);
    }
    if (!o->ran && !o->error.text[0])
        fail("refused without a message", kernel->name);
    memory_clear(&memory);
}

static void run_watched(struct outcome *o, const struct ptx_program *program,
                        const struct ptx_function *kernel,
                        const struct shape *s, int threads)
{
    struct witness *w = witness_new();
    struct watcher *watchers[] = {witness_watcher(w)};
    launch_with(o, program, kernel, s, threads, watchers, 1);
    if (o->ran)
        witness_check(w, &o->result);
    witness_free(w);
}

static void run_checked(struct outcome *o, const struct ptx_program *program,
                        const struct ptx_function *kernel,
                        const struct shape *s, int threads)
{
    struct watcher *watchers[MAX_CHECKS];
    int count = checks_make(UINT32_MAX, &o->findings, watchers);
    launch_with(o, program, kernel, s, threads, watchers, count);
    checks_free(watchers, count);
    finding_sort(&o->findings);
}

/* ---- all ways give the same ------------------------------------------------*/

static void compare(const struct outcome *a, const struct outcome *b,
                    const char *what)
{
    const struct launch_result *x = &a->result, *y = &b->result;
    if (a->ran != b->ran || strcmp(a->error.text, b->error.text) != 0)
        fail(what, "refused in one way only");
    if (x->stop != y->stop || strcmp(x->message, y->message) != 0)
        fail(what, "stopped in another way");
    if (x->warp_instructions != y->warp_instructions ||
        x->thread_instructions != y->thread_instructions)
        fail(what, "counted other instructions");
    if (!x->output != !y->output ||
        (x->output && strcmp(x->output, y->output) != 0))
        fail(what, "printed other things");
    if (memcmp(a->data, b->data, BUFFER_BYTES) != 0)
        fail(what, "left other data");
}

static void compare_findings(const struct finding_list *a,
                             const struct finding_list *b)
{
    if (a->count != b->count)
        fail("one or two threads", "other findings");
    for (int i = 0; i < a->count; i++) {
        const struct finding *x = &a->items[i], *y = &b->items[i];
        if (strcmp(x->kind, y->kind) != 0 || x->line != y->line ||
            x->other_line != y->other_line || x->count != y->count ||
            strcmp(x->message, y->message) != 0)
            fail("one or two threads, other findings", x->message);
    }
}

static void outcome_free(struct outcome *o)
{
    launch_result_free(&o->result);
    finding_free(&o->findings);
    free(o);
}

static void try_kernel(const struct ptx_program *program,
                       const struct ptx_function *kernel, const struct shape *s)
{
    struct outcome *plain = checked_alloc(sizeof *plain);
    struct outcome *watched = checked_alloc(sizeof *watched);
    struct outcome *checked = checked_alloc(sizeof *checked);
    struct outcome *again = checked_alloc(sizeof *again);

    launch_with(plain, program, kernel, s, 1, NULL, 0);
    run_watched(watched, program, kernel, s, 2);
    compare(plain, watched, "alone or watched");
    if (plain->ran) {
        run_checked(checked, program, kernel, s, 1);
        compare(plain, checked, "alone or checked");
    }
    if (plain->ran && s->seed % 4 == 0) {
        run_checked(again, program, kernel, s, 2);
        compare(plain, again, "alone or checked by two");
        compare_findings(&checked->findings, &again->findings);
    }
    outcome_free(plain);
    outcome_free(watched);
    outcome_free(checked);
    outcome_free(again);
}

/* The fuzzer cannot save an input that ends on another thread than its own:
 * with FUZZ_LAST=path the one at hand lies there. */
static void keep_input(const uint8_t *data, size_t size)
{
    struct error e;
    const char *path = getenv("FUZZ_LAST");
    if (path && !text_write_file(path, (const char *)data, size, &e))
        fail("cannot keep the input", e.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = {""};
    struct shape shape = read_shape(data, size);
    keep_input(data, size);
    struct ptx_program *program =
        ptx_load("fuzz.ptx", (const char *)data, size, &e);
    int tried = 0;

    if (!program)
        return 0;
    for (int i = 0; i < program->function_count && tried < MAX_KERNELS; i++) {
        const struct ptx_function *f = program->functions[i];
        if (!f->is_entry || !f->has_body)
            continue;
        try_kernel(program, f, &shape);
        tried++;
    }
    ptx_free(program);
    return 0;
}

#ifdef FUZZ_MAIN
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct text text = {0};
        struct error e;
        if (!text_read_file(&text, argv[i], 64 << 20, &e))
            fail("no such input", e.text);
        LLVMFuzzerTestOneInput((const uint8_t *)(text.data ? text.data : ""),
                               text.length);
        text_free(&text);
    }
    return 0;
}
#endif
