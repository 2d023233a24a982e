/* lab trace, lab compare: a page that plays one block of a launch. */
#include "base/text.h"
#include "grading/cmd.h"
#include "lab/number.h"
#include "lab/trace_json.h"

#include <stdlib.h>
#include <string.h>

enum {
    TRACE_BLOCK = 128, /* threads: four warps fit a screen */
    TRACE_BLOCKS = 4,
};

/* What both commands work with. */
struct tracer {
    struct context *context;
    const struct options *options;
    struct device *device;
    struct json *json;
    uint64_t n; /* elements, the same for both of two */
    int worst;  /* exit status */
    int runs;   /* recorded */
};

static bool fills_grid(const struct stage *stage)
{
    return stage && stage->grid_rule == GRID_FILL;
}

static uint32_t trace_block(const struct options *o, const struct stage *stage)
{
    struct error ignored;
    if (o->has_block)
        return o->block;
    return !stage || stage_block_check(stage, TRACE_BLOCK, &ignored)
               ? TRACE_BLOCK
               : stage->default_block;
}

/* Few blocks and whole tiles: enough to see each idea.  A grid that does not
 * follow from n is made small, so that threads take several elements. */
static uint64_t trace_n(const struct options *o)
{
    uint64_t n = 0;
    struct error ignored;
    for (int i = 0; i < o->word_count; i++) {
        const struct stage *stage = stage_is_path(o->words[i])
                                        ? NULL
                                        : stage_find(o->words[i], &ignored);
        uint64_t own = (uint64_t)TRACE_BLOCKS * trace_block(o, stage) *
                       (stage ? stage->items : 1) * (fills_grid(stage) ? 3 : 1);
        n = own > n ? own : n;
    }
    return n;
}

static struct run_spec trace_spec(const struct tracer *t,
                                  const struct kernel *k)
{
    const struct options *o = t->options;
    struct run_spec spec = run_defaults(k);

    spec.data = DATA_INTEGERS;
    spec.n = t->n;
    options_apply(o, &spec);
    spec.block = trace_block(o, k->stage);
    if (fills_grid(k->stage) && !o->grid && !o->has_n)
        spec.grid = TRACE_BLOCKS;
    if (!o->budget)
        spec.budget = 4000000 + 1000 * spec.n;
    spec.is_single = true;
    spec.counters = true;
    spec.cancel = t->context->cancel;
    return spec;
}

/* The block where the first mistake of the list was made. */
static uint64_t block_of_mistake(const struct run_result *r, uint64_t otherwise)
{
    for (int i = 0; i < r->launch.findings.count; i++)
        if (r->launch.findings.items[i].has_thread)
            return r->launch.findings.items[i].block;
    return otherwise;
}

static void add_run(struct tracer *t, const struct kernel *k,
                    const struct run_spec *spec, const struct run_result *r,
                    const struct trace *trace)
{
    struct json *j = t->json;
    t->runs++;
    json_open_object(j, NULL);
    json_add_text(j, "name", k->stage ? k->stage->name : k->file);
    json_add_text(j, "title", k->stage ? k->stage->title : "");
    json_add_text(j, "idea", k->stage ? k->stage->idea : "");
    json_open_object(j, "result");
    report_run_json(j, k, spec, r);
    json_close(j);
    json_open_object(j, "trace");
    trace_json(j, trace, k->file);
    json_close(j);
    page_add_source(j, k);
    json_close(j);
}

/* One launch with a recorder of block `which`. */
static bool record(const struct kernel *k, const struct run_spec *given,
                   uint64_t which, struct watcher **watcher,
                   struct run_result *r, struct error *e)
{
    struct run_spec spec = *given;
    *watcher = trace_watcher(which);
    spec.watchers = watcher;
    spec.watcher_count = 1;
    bool ok = run_shown(k, &spec, "tracing", r, e);
    if (!ok) {
        trace_watcher_free(*watcher);
        *watcher = NULL;
    }
    return ok;
}

static int trace_kernel(struct tracer *t, const struct kernel *k,
                        struct error *e)
{
    const struct options *o = t->options;
    struct run_spec spec = trace_spec(t, k);
    struct watcher *watcher;
    struct run_result r;
    uint64_t which = o->has_show ? o->show : 0;

    if (!record(k, &spec, which, &watcher, &r, e))
        return cannot(e);
    uint64_t wrong = block_of_mistake(&r, which);
    if (!o->has_show && wrong != which) {
        trace_watcher_free(watcher);
        run_result_free(&r);
        if (!record(k, &spec, wrong, &watcher, &r, e))
            return cannot(e);
    }
    const struct trace *trace = trace_watcher_result(watcher);
    int status = r.passed ? OUTCOME_OK : OUTCOME_FAILED;
    if (!trace->was_run) {
        error_set(e, "--show %llu: the launch has blocks 0 to %llu",
                  (unsigned long long)which, (unsigned long long)r.grid - 1);
        status = cannot(e);
    } else if (r.verdict != VERDICT_CANCELLED) {
        add_run(t, k, &spec, &r, trace);
        printf("%s: block %llu of %llu, %u threads, %d steps%s\n",
               k->stage ? k->stage->name : k->file,
               (unsigned long long)trace->block,
               (unsigned long long)trace->blocks, trace->threads,
               trace->step_count, r.passed ? "" : "; it is not right:");
        if (!r.passed)
            report_findings(stdout, &r.launch.findings);
    }
    trace_watcher_free(watcher);
    run_result_free(&r);
    return status;
}

static int trace_target(struct tracer *t, const char *target)
{
    struct error e;
    struct kernel k = {0};
    const struct kernel_request request = {
        &t->context->home, t->device,          target,
        t->options->from,  t->options->kernel, t->options->compiler,
        t->context->cancel};
    int status = kernel_load(&request, &k, &e);

    if (status == OUTCOME_OK)
        status = trace_kernel(t, &k, &e);
    else if (status == OUTCOME_FAILED)
        fprintf(stderr, "%s\n", e.text);
    else
        cannot(&e);
    kernel_free(&k);
    return status;
}

/* "trace-v1", "compare-v2-v3"; "trace-NAME" for a file. */
static void page_name(const struct options *o, const char *command, char *name,
                      size_t size)
{
    struct text made = {0};
    text_puts(&made, command);
    for (int i = 0; i < o->word_count; i++) {
        const char *word = strrchr(o->words[i], '/');
        word = word ? word + 1 : o->words[i];
        text_printf(&made, "-%.*s", (int)strcspn(word, "."), word);
    }
    snprintf(name, size, "%s", made.data);
    text_free(&made);
}

static int write_trace(struct tracer *t, const char *command)
{
    const struct options *o = t->options;
    struct text title = {0};
    struct error e;
    char name[200];

    page_name(o, command, name, sizeof name);
    text_printf(&title, "%s: %s%s%s", command, o->words[0],
                o->word_count > 1 ? " and " : "",
                o->word_count > 1 ? o->words[1] : "");
    bool ok = page_write(t->context, o, "trace", name, title.data, t->json, &e);
    text_free(&title);
    return ok ? t->worst : cannot(&e);
}

static int make_trace(struct context *context, const struct options *o,
                      const char *command)
{
    struct error e;
    struct tracer t = {.context = context, .options = o, .n = trace_n(o)};

    if (!page_can_be_written(context, o, &e))
        return cannot(&e);
    t.device = device_open("sim", &e);
    if (!t.device)
        return cannot(&e);
    t.json = json_new();
    json_open_array(t.json, "runs");
    for (int i = 0; i < o->word_count && t.worst != OUTCOME_CANNOT; i++) {
        int status = trace_target(&t, o->words[i]);
        t.worst = status > t.worst ? status : t.worst;
    }
    json_close(t.json);
    int status = t.worst;
    if (*context->cancel)
        status = OUTCOME_CANNOT;
    else if (t.runs == o->word_count && t.worst != OUTCOME_CANNOT)
        status = write_trace(&t, command);
    json_free(t.json);
    device_close(t.device);
    return status;
}

int cmd_trace(struct context *context, const struct options *o)
{
    return make_trace(context, o, "trace");
}

int cmd_compare(struct context *context, const struct options *o)
{
    return make_trace(context, o, "compare");
}
