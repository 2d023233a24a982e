/* Runs hand-written PTX tests.  Comes in: .ptx files with the comments of
 * tests/ptx/README.md.  Goes out: a line for each thing that is not as
 * expected, and `N passed, M failed, K skipped`.
 *
 * Every launch is made three times, in fresh memory: on one host thread, on
 * two, and with a watcher that wants every event.  All must give the same. */
#include "tests/support/ptx_case.h"
#include "base/text.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const event_names[EVENT_KINDS] = {
    [EVENT_RUN] = "run",         [EVENT_GUARD] = "guard",
    [EVENT_BRANCH] = "branch",   [EVENT_LOAD] = "load",
    [EVENT_ROWS] = "rows",       [EVENT_STORE] = "store",
    [EVENT_ATOMIC] = "atomic",   [EVENT_SHUFFLE] = "shuffle",
    [EVENT_VOTE] = "vote",       [EVENT_WARP_SYNC] = "warp_sync",
    [EVENT_BARRIER] = "barrier", [EVENT_BARRIER_DONE] = "barrier_done",
    [EVENT_FENCE] = "fence",     [EVENT_EXIT] = "exit",
    [EVENT_FAULT] = "fault",     [EVENT_BAD_SYNC] = "bad_sync",
    [EVENT_TRAP] = "trap",       [EVENT_STUCK] = "stuck",
};
static const char *const stop_names[] = {
    [STOP_DONE] = "done",     [STOP_TRAP] = "trap",
    [STOP_FAULT] = "fault",   [STOP_DEADLOCK] = "deadlock",
    [STOP_BUDGET] = "budget", [STOP_CANCELLED] = "cancelled",
};

struct run {
    const char *file;
    const struct ptx_case *c;
    const char *variant;
    struct memory memory;
    struct buffer *buffers[16];
    struct launch_result result;
    uint64_t events[EVENT_KINDS]; /* counted under block_end's lock */
    bool has_events;
    int failures;
};

static void fail(struct run *r, int line, const char *what, const char *more)
{
    if (r->failures++ < 5)
        printf("%s:%d: %s%s (kernel %s, %s)\n", r->file, line, what, more,
               r->c->kernel, r->variant);
}

/* ---- the watcher: counts, and asks for every event ---------------------- */
static void *count_begin(struct watcher *w, uint64_t block)
{
    (void)w, (void)block;
    return calloc(EVENT_KINDS, sizeof(uint64_t));
}

static void count_event(struct watcher *w, void *state, const struct event *e)
{
    (void)w;
    ((uint64_t *)state)[e->kind]++;
}

static void count_end(struct watcher *w, void *state, uint64_t block)
{
    (void)block;
    struct run *r = w->state;
    for (int k = 0; k < EVENT_KINDS; k++)
        r->events[k] += ((uint64_t *)state)[k];
    free(state);
}

/* ---- what came out ------------------------------------------------------- */
static bool same(const struct value_type *type, const char *text, uint64_t got,
                 uint64_t want)
{
    if (!type->is_float || !strstr(text, "nan"))
        return got == want;
    return type->bytes == 4 ? (got & 0x7fffffffu) > 0x7f800000u
                            : (got & ~(1ull << 63)) > 0x7ff0000000000000u;
}

static void check_values(struct run *r, const struct case_expect *x)
{
    const struct case_data *d = NULL;
    const struct buffer *b = NULL;
    for (int k = 0; k < r->c->data_count; k++) {
        if (strcmp(r->c->data[k].name, x->name) == 0) {
            d = &r->c->data[k];
            b = r->buffers[k];
        }
    }
    if (!b) {
        fail(r, x->line, "no such buffer: ", x->name);
        return;
    }
    int64_t last = x->to < 0 ? d->count - 1 : x->to;
    for (int64_t k = x->from; k <= last; k++) {
        uint64_t want, got = 0;
        bool is_list = x->to < 0;
        if (!case_value(x->text, k, d->type, &want)) {
            if (!is_list || k == 0 || !strchr(x->text, ','))
                fail(r, x->line, "cannot read ", x->text);
            return; /* the end of a list */
        }
        memcpy(&got, b->data + k * d->type->bytes, d->type->bytes);
        if (!same(d->type, x->text, got, want)) {
            char text[128];
            snprintf(text, sizeof text, "[%lld] is 0x%llx, expected 0x%llx",
                     (long long)k, (unsigned long long)got,
                     (unsigned long long)want);
            fail(r, x->line, x->name, text);
            return;
        }
    }
}

static void check_events(struct run *r, const struct case_expect *x)
{
    uint64_t want = 0;
    const char *number = x->text + strspn(x->text, "= ");
    for (int k = 0; k < EVENT_KINDS; k++) {
        if (strcmp(event_names[k], x->name) != 0)
            continue;
        value_parse(number, 0, value_type_find("u64"), &want);
        char text[96];
        snprintf(text, sizeof text, " events: %llu, expected %llu",
                 (unsigned long long)r->events[k], (unsigned long long)want);
        if (r->has_events && r->events[k] != want)
            fail(r, x->line, x->name, text);
        return;
    }
    fail(r, x->line, "no such event: ", x->name);
}

static void check_stop(struct run *r)
{
    const char *want = "done", *text = "";
    int line = r->c->line;
    for (int k = 0; k < r->c->expect_count; k++) {
        const struct case_expect *x = &r->c->expect[k];
        if (strcmp(x->what, "stop") == 0) {
            want = x->name;
            text = x->text;
            line = x->line;
        }
    }
    if (!strstr(want, stop_names[r->result.stop])) {
        fail(r, line, "it stopped as ", stop_names[r->result.stop]);
        printf("    %s\n", r->result.message);
    } else if (!strstr(r->result.message, text)) {
        fail(r, line, "the message is: ", r->result.message);
    }
}

static void check(struct run *r)
{
    check_stop(r);
    for (int k = 0; k < r->c->expect_count; k++) {
        const struct case_expect *x = &r->c->expect[k];
        const char *output = r->result.output ? r->result.output : "";
        if (strcmp(x->what, "values") == 0)
            check_values(r, x);
        else if (strcmp(x->what, "events") == 0)
            check_events(r, x);
        else if (strcmp(x->what, "output") == 0 && strcmp(output, x->text))
            fail(r, x->line, "the output is: ", output);
        else if (strcmp(x->what, "error") == 0)
            fail(r, x->line, "it ran, but this was expected: ", x->text);
    }
}

/* A refusal: right if the test expects this message. */
static void check_refusal(struct run *r, const struct error *e)
{
    for (int k = 0; k < r->c->expect_count; k++) {
        const struct case_expect *x = &r->c->expect[k];
        char place[32];
        snprintf(place, sizeof place, ".ptx:%d", x->error_line);
        if (strcmp(x->what, "error") != 0)
            continue;
        if (!strstr(e->text, x->text) ||
            (x->error_line && !strstr(e->text, place)))
            fail(r, x->line, "the message is: ", e->text);
        return;
    }
    fail(r, r->c->line, "refused: ", e->text);
}

static bool launch_once(struct run *r, const struct ptx_program *program,
                        int threads, bool watch, struct error *e)
{
    uint8_t params[4096] = {0};
    struct launch launch = r->c->launch;
    struct watcher watcher = {
        .name = "count",
        .wants = (1u << EVENT_KINDS) - 1,
        .state = r,
        .block_begin = count_begin,
        .event = count_event,
        .block_end = count_end,
    };
    struct watcher *watchers[] = {&watcher};
    struct module *module = module_load(program, &r->memory, e);
    if (!module)
        return false;
    launch.module = module;
    launch.kernel = ptx_find_function(program, r->c->kernel);
    launch.params = params;
    launch.threads = threads;
    launch.watchers = watch ? watchers : NULL;
    launch.watcher_count = watch;
    r->has_events = watch;
    bool good = launch.kernel
                    ? case_params(r->c, launch.kernel, &r->memory, r->buffers,
                                  params, &launch.params_bytes, e)
                    : error_set(e, "no kernel '%s' in the file", r->c->kernel);
    for (int k = 0; good && k < r->c->repeat; k++) {
        launch_result_free(&r->result);
        memset(&r->result, 0, sizeof r->result);
        good = launch_run(&launch, &r->result, e);
    }
    if (good)
        check(r);
    module_free(module);
    return good;
}

static int run_variant(const char *file, const struct ptx_case *c,
                       const struct ptx_program *program, int threads,
                       bool watch)
{
    struct error e = {{0}};
    struct run r = {.file = file, .c = c};
    r.variant = watch ? "watched" : threads == 1 ? "1 thread" : "2 threads";
    memory_init(&r.memory);
    if (!launch_once(&r, program, threads, watch, &e))
        check_refusal(&r, &e);
    launch_result_free(&r.result);
    memory_clear(&r.memory);
    return r.failures;
}

static bool run_case(const char *file, const struct ptx_case *c,
                     const struct text *text)
{
    struct error e = {{0}};
    int failures = 0;
    struct ptx_program *program = ptx_load(file, text->data, text->length, &e);
    alarm(30); /* a hang ends the program: the caller sees the signal */
    if (!program) {
        struct run r = {.file = file, .c = c, .variant = "loading"};
        check_refusal(&r, &e);
        return r.failures == 0;
    }
    failures += run_variant(file, c, program, 1, false);
    if (failures == 0)
        failures += run_variant(file, c, program, 2, false);
    if (failures == 0)
        failures += run_variant(file, c, program, 1, true);
    ptx_free(program);
    return failures == 0;
}

int main(int argc, char **argv)
{
    int passed = 0, failed = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int k = 1; k < argc; k++) {
        struct error e = {{0}};
        struct text text = {0};
        struct ptx_cases *cases = checked_alloc(sizeof *cases);
        if (!text_read_file(&text, argv[k], 1 << 24, &e) ||
            !ptx_cases_read(cases, argv[k], text.data, &e)) {
            printf("%s\n", e.text);
            failed++;
        }
        for (int c = 0; c < cases->count; c++) {
            bool good = run_case(argv[k], &cases->list[c], &text);
            passed += good;
            failed += !good;
        }
        free(cases);
        text_free(&text);
    }
    printf("%d passed, %d failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
