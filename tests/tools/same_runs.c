/* Runs launches in many ways; all must leave the same: values, output, counts,
 * message, and findings to the word.
 *
 *     same_runs FILE.ptx... FILE.cu...
 *
 * Ways: 1, 2, 3 and 7 host threads; nobody watching, the witness of every
 * event, all checks.  The launches are those of the comments (tests/ptx,
 * tests/kernels).  Prints a line for each launch with a digest of it all, so
 * that runs at other levels of the CPU (LAB_CPU) can be compared, a line for
 * each difference, and `N passed, M failed, K skipped`. */
#include "base/text.h"
#include "lab/run.h"
#include "tests/support/kernel_case.h"
#include "tests/support/ptx_case.h"
#include "tests/support/witness.h"
#include "watch/checks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum watching { NOBODY, WITNESS, CHECKS };
static const struct way {
    int threads;
    enum watching watching;
} ways[] = {
    {1, NOBODY},  {2, NOBODY}, {3, NOBODY}, {7, NOBODY}, {1, WITNESS},
    {7, WITNESS}, {1, CHECKS}, {2, CHECKS}, {7, CHECKS},
};
enum { WAYS = sizeof ways / sizeof *ways, N = 3001 };
static const char *const watching_names[] = {"alone", "witness", "checks"};

/* What one run left, as text. */
struct left {
    struct text all, findings;
};

static void add_findings(struct text *t, const struct finding_list *list)
{
    for (int k = 0; k < list->count; k++) {
        const struct finding *f = &list->items[k];
        text_printf(t, "%s:%d:%d %s x%llu\n", f->kind, f->line, f->other_line,
                    f->message ? f->message : "", (unsigned long long)f->count);
    }
}

static uint64_t digest_of(const struct text *t)
{
    uint64_t d = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t k = 0; k < t->length; k++)
        d = (d ^ (uint8_t)t->data[k]) * 0x100000001b3u;
    return d;
}

static void add_bytes(struct text *t, const void *bytes, size_t length)
{
    const struct text whole = {(char *)bytes, length, length};
    text_printf(t, "%zu bytes, digest %016llx\n", length,
                (unsigned long long)digest_of(&whole));
}

static void add_result(struct text *t, const struct launch_result *r)
{
    text_printf(t, "stop %d: %s\n%llu warp and %llu thread instructions\n%s\n",
                r->stop, r->message, (unsigned long long)r->warp_instructions,
                (unsigned long long)r->thread_instructions,
                r->output ? r->output : "");
}

/* ---- hand-written PTX ------------------------------------------------------ */

static void launch_case(const struct ptx_case *c, struct module *module,
                        struct launch *launch, struct memory *memory,
                        struct text *t)
{
    uint8_t params[4096] = {0};
    struct buffer *buffers[16] = {0};
    struct launch_result r = {0};
    struct error e = {""};
    launch->module = module;
    launch->params = params;
    bool ok = module && case_params(c, launch->kernel, memory, buffers, params,
                                    &launch->params_bytes, &e);
    for (int k = 0; ok && k < c->repeat; k++) {
        ok = launch_run(launch, &r, &e);
        add_result(t, &r);
        launch_result_free(&r);
    }
    for (int k = 0; k < 16; k++)
        if (buffers[k])
            add_bytes(t, buffers[k]->data, buffers[k]->bytes);
    text_puts(t, e.text);
}

static bool run_ptx(const struct ptx_program *program, const struct ptx_case *c,
                    const struct way *way, struct left *left)
{
    struct memory memory;
    struct finding_list findings = {0};
    struct watcher *watchers[MAX_CHECKS] = {0};
    struct error e;
    struct launch launch = c->launch;
    struct witness *witness = witness_new();
    watchers[0] = witness_watcher(witness);
    int checks = way->watching == CHECKS
                     ? checks_make(UINT32_MAX, &findings, watchers)
                     : 0;
    launch.kernel = ptx_find_function(program, c->kernel);
    launch.threads = way->threads;
    launch.watchers = watchers;
    launch.watcher_count = way->watching == CHECKS    ? checks
                           : way->watching == WITNESS ? 1
                                                      : 0;
    memory_init(&memory);
    struct module *module = module_load(program, &memory, &e);
    if (module) {
        launch_case(c, module, &launch, &memory, &left->all);
        module_free(module);
    }
    add_findings(&left->findings, &findings);
    checks_free(watchers, checks);
    finding_free(&findings);
    witness_free(witness);
    memory_clear(&memory);
    return launch.kernel != NULL;
}

/* ---- kernels ---------------------------------------------------------------- */

static bool run_cu(struct kernel *k, const struct case_launch *l,
                   const struct way *way, struct left *left)
{
    struct witness *witness = witness_new();
    struct watcher *watchers[] = {witness_watcher(witness)};
    struct run_spec spec = run_defaults(k);
    struct run_result r;
    struct error e;
    spec.n = l->has_n ? l->n : N;
    spec.block = l->block;
    spec.grid = l->grid ? l->grid : (spec.n + l->block - 1) / l->block;
    spec.shared = l->shared;
    spec.offset = l->offset;
    spec.budget = l->budget;
    spec.threads = way->threads;
    spec.checks = way->watching == CHECKS ? UINT32_MAX : 0;
    spec.watchers = watchers;
    spec.watcher_count = way->watching == WITNESS;
    k->device->ops->unload(k->device, k->module); /* fresh variables */
    k->module = k->device->ops->load(k->device, k->program, &e);
    if (!k->module || !run_kernel(k, &spec, &r, &e)) {
        text_puts(&left->all, e.text);
    } else {
        text_printf(&left->all, "%a again %a\n%llu %llu\n%s\n", (double)r.value,
                    (double)r.again_value,
                    (unsigned long long)r.launch.warp_instructions,
                    (unsigned long long)r.launch.thread_instructions,
                    r.launch.output ? r.launch.output : "");
        add_findings(&left->findings, &r.launch.findings);
        run_result_free(&r);
    }
    witness_free(witness);
    return k->module != NULL;
}

/* ---- all ways ---------------------------------------------------------------- */

struct subject {
    const char *file;
    int line;
    const struct ptx_program *program; /* of a .ptx */
    const struct ptx_case *ptx;
    struct kernel *kernel; /* of a .cu */
    const struct case_launch *launch;
};

static bool compare(const struct subject *s, const struct way *way,
                    const char *what, const struct text *a,
                    const struct text *b)
{
    const char *x = a->data ? a->data : "", *y = b->data ? b->data : "";
    if (strcmp(x, y) == 0)
        return true;
    printf("%s:%d: %s with %d threads (%s):\n%s    and before:\n%s\n", s->file,
           s->line, what, way->threads, watching_names[way->watching], y, x);
    return false;
}

static bool try_ways(const struct subject *s)
{
    struct left first = {0};
    bool ok = true, has_findings = false;
    alarm(300); /* a hang ends the program: the caller sees the signal */
    for (int k = 0; ok && k < WAYS; k++) {
        struct left left = {0};
        ok = s->program ? run_ptx(s->program, s->ptx, &ways[k], &left)
                        : run_cu(s->kernel, s->launch, &ways[k], &left);
        if (k > 0)
            ok &= compare(s, &ways[k], "other results", &first.all, &left.all);
        else
            first.all = left.all, left.all = (struct text){0};
        if (has_findings)
            ok &= compare(s, &ways[k], "other findings", &first.findings,
                          &left.findings);
        else if (ways[k].watching == CHECKS)
            has_findings = true, first.findings = left.findings,
            left.findings = (struct text){0};
        text_free(&left.all);
        text_free(&left.findings);
    }
    printf("digest %s:%d %016llx\n", s->file, s->line,
           (unsigned long long)(digest_of(&first.all) ^
                                3 * digest_of(&first.findings)));
    text_free(&first.all);
    text_free(&first.findings);
    return ok;
}

static void try_ptx(const char *file, int *passed, int *failed)
{
    struct error e = {""};
    struct text text = {0};
    struct ptx_cases *cases = checked_alloc(sizeof *cases);
    struct ptx_program *program = NULL;
    if (text_read_file(&text, file, 1 << 24, &e) &&
        ptx_cases_read(cases, file, text.data, &e))
        program = ptx_load(file, text.data, text.length, &e);
    for (int k = 0; program && k < cases->count; k++) {
        struct subject s = {
            file, cases->list[k].line, program, &cases->list[k], NULL, NULL};
        *(try_ways(&s) ? passed : failed) += 1;
    }
    if (program)
        ptx_free(program);
    free(cases);
    text_free(&text);
}

static void try_cu(const char *file, const struct home *home,
                   struct device *device, int *passed, int *failed)
{
    struct kernel_request request = {.home = home,
                                     .device = device,
                                     .compiler = getenv("COMPILER"),
                                     .target = file};
    struct kernel_case *c = checked_alloc(sizeof *c);
    struct kernel k = {0};
    struct error e = {""};
    if (!kernel_case_read(c, file, &e) ||
        (!c->needs_nvcc && kernel_load(&request, &k, &e) != OUTCOME_OK)) {
        printf("%s: %s\n", file, e.text);
        *failed += 1;
    }
    for (int l = 0; k.function && l < c->launch_count; l++) {
        struct subject s = {file, c->launches[l].line, NULL, NULL,
                            &k,   &c->launches[l]};
        *(try_ways(&s) ? passed : failed) += 1;
    }
    kernel_free(&k);
    free(c);
}

int main(int argc, char **argv)
{
    int passed = 0, failed = 0;
    struct error e = {""};
    struct home home;
    struct device *device = device_open("sim", &e);
    if (!device || !home_find(&home, &e)) {
        printf("%s\n", e.text);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int k = 1; k < argc; k++) {
        size_t length = strlen(argv[k]);
        if (length > 4 && strcmp(argv[k] + length - 4, ".ptx") == 0)
            try_ptx(argv[k], &passed, &failed);
        else
            try_cu(argv[k], &home, device, &passed, &failed);
    }
    device_close(device);
    printf("%d passed, %d failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
