/* The options of the subcommands.  See cmd.h. */
#include "grading/cmd.h"
#include "lab/model.h"
#include "lab/number.h"
#include "lab/reduction.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>

enum option_id {
    OPT_FROM = 1000,
    OPT_KERNEL,
    OPT_DEVICE,
    OPT_COMPILER,
    OPT_N,
    OPT_BLOCK,
    OPT_GRID,
    OPT_SHARED,
    OPT_DATA,
    OPT_OPERATOR,
    OPT_OFFSET,
    OPT_SEED,
    OPT_ORDER,
    OPT_BUDGET,
    OPT_CHECKS,
    OPT_BY,
    OPT_LIST_CHECKS,
    OPT_THREADS,
    OPT_JSON,
    OPT_LEVEL,
    OPT_SETS,
    OPT_GPU,
    OPT_LIST_GPUS,
    OPT_OUT,
    OPT_SHOW,
    OPT_HELP,
};

enum {
    FOR_ONE = FOR_RUN | FOR_COUNTERS,
    FOR_LAUNCHES = FOR_ONE | FOR_CHECK | FOR_DEMO,
    FOR_PAGES = FOR_TRACE | FOR_REPORT,
    FOR_ALL = 0xffff
};

static const struct {
    const char *name;
    const char *value; /* NULL: takes none */
    enum option_id id;
    int commands;
    const char *meaning;
} table[] = {
    {"from", "FOLDER", OPT_FROM, FOR_MODEL | FOR_LAUNCHES | FOR_PAGES,
     "labs, solutions or a folder of yours"},
    {"kernel", "NAME", OPT_KERNEL, FOR_ONE | FOR_CHECK | FOR_TRACE,
     "the kernel's name (reduce)"},
    {"device", "NAME", OPT_DEVICE, FOR_LAUNCHES | FOR_REPORT,
     "where to run: sim, cuda"},
    {"compiler", "NAME", OPT_COMPILER, FOR_MODEL | FOR_LAUNCHES | FOR_PAGES,
     "nvcc or clang"},
    {"n", "N", OPT_N, FOR_MODEL | FOR_LAUNCHES | FOR_PAGES,
     "elements: 20000000, 20M, 64k, 2^24"},
    {"block", "B", OPT_BLOCK, FOR_MODEL | FOR_LAUNCHES | FOR_PAGES,
     "threads in a block"},
    {"grid", "G", OPT_GRID, FOR_ONE | FOR_TRACE, "blocks (as many as cover n)"},
    {"shared", "BYTES", OPT_SHARED, FOR_ONE | FOR_TRACE,
     "dynamic shared memory (4 * B)"},
    {"data", "NAME", OPT_DATA, FOR_ONE | FOR_DEMO | FOR_TRACE | FOR_REPORT,
     "random; `lab list --sets` shows all"},
    {"operator", "NAME", OPT_OPERATOR, FOR_RUN,
     "what the kernel computes (sum), such as max"},
    {"offset", "K", OPT_OFFSET, FOR_ONE | FOR_TRACE,
     "floats before the input (0)"},
    {"seed", "S", OPT_SEED, FOR_ONE | FOR_DEMO | FOR_TRACE,
     "of data and order (1)"},
    {"order", "NAME", OPT_ORDER, FOR_ONE | FOR_TRACE,
     "of blocks: ascending, descending, random"},
    {"budget", "W", OPT_BUDGET, FOR_ONE | FOR_TRACE,
     "warp instructions before it is stopped"},
    {"checks", "LIST", OPT_CHECKS, FOR_RUN,
     "all, none, or names as in `lab list --checks`"},
    {"checks", NULL, OPT_LIST_CHECKS, FOR_LIST, "what is looked for in a run"},
    {"threads", "T", OPT_THREADS, FOR_LAUNCHES | FOR_PAGES,
     "of this machine (all cores)"},
    {"json", NULL, OPT_JSON, FOR_ONE | FOR_DEMO | FOR_LIST,
     "one JSON object on stdout"},
    {"by", "PART", OPT_BY, FOR_COUNTERS, "total, line or step of the tree"},
    {"level", "L", OPT_LEVEL, FOR_HINT, "1 a question, 2 a pointer, 3 more"},
    {"sets", NULL, OPT_SETS, FOR_LIST, "the data sets"},
    {"gpu", "NAME", OPT_GPU, FOR_MODEL | FOR_RUN | FOR_DEMO | FOR_REPORT,
     "whose time to model: h200; `lab list --gpus`"},
    {"gpus", NULL, OPT_LIST_GPUS, FOR_LIST, "whose time can be modelled"},
    {"out", "FILE", OPT_OUT, FOR_PAGES, "where the page goes (in build/)"},
    {"show", "K", OPT_SHOW, FOR_TRACE,
     "the block to play (0, or where a "
     "mistake is)"},
    {"help", NULL, OPT_HELP, FOR_ALL, "this text"},
};
enum { TABLE = sizeof table / sizeof table[0] };

void options_help(FILE *out, int command)
{
    for (int i = 0; i < TABLE; i++) {
        char left[40];
        if (!(table[i].commands & command))
            continue;
        snprintf(left, sizeof left, "--%s %s", table[i].name,
                 table[i].value ? table[i].value : "");
        fprintf(out, "  %-18s %s\n", left, table[i].meaning);
    }
}

static bool read_order(const char *name, enum block_order *order,
                       struct error *e)
{
    static const char *const names[] = {"ascending", "descending", "random"};

    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) != 0)
            continue;
        *order = (enum block_order)i;
        return true;
    }
    return error_set(e,
                     "--order: '%.40s' must be ascending, descending or "
                     "random",
                     name);
}

static bool read_by(const char *name, enum counters_by *by, struct error *e)
{
    static const char *const names[] = {"total", "line", "step"};

    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) != 0)
            continue;
        *by = (enum counters_by)i;
        return true;
    }
    return error_set(e, "--by: '%.40s' must be total, line or step", name);
}

/* A number that fits a smaller field of the options. */
static bool read_number(const char *text, const char *what, uint64_t min,
                        uint64_t max, uint64_t *value, bool *has,
                        struct error *e)
{
    if (has)
        *has = true;
    return number_parse(text, what, min, max, value, e);
}

static bool read_numeric(enum option_id id, const char *text, struct options *o,
                         struct error *e)
{
    uint64_t v = 0;
    bool ok = false;

    switch (id) {
    case OPT_N:
        return read_number(text, "--n", 0, UINT64_MAX, &o->n, &o->has_n, e);
    case OPT_BLOCK:
        ok = read_number(text, "--block", 1, UINT32_MAX, &v, &o->has_block, e);
        o->block = (uint32_t)v;
        return ok;
    case OPT_GRID:
        return read_number(text, "--grid", 1, UINT64_MAX, &o->grid, NULL, e);
    case OPT_SHARED:
        ok = read_number(text, "--shared", 0, INT32_MAX, &v, NULL, e);
        o->shared = (int64_t)v;
        return ok;
    case OPT_OFFSET:
        return read_number(text, "--offset", 0, UINT64_MAX, &o->offset, NULL,
                           e);
    case OPT_SEED:
        return read_number(text, "--seed", 0, UINT64_MAX, &o->seed,
                           &o->has_seed, e);
    case OPT_BUDGET:
        return read_number(text, "--budget", 1, UINT64_MAX, &o->budget, NULL,
                           e);
    case OPT_SHOW:
        return read_number(text, "--show", 0, UINT64_MAX, &o->show,
                           &o->has_show, e);
    case OPT_THREADS:
        ok = read_number(text, "--threads", 1, 1024, &v, NULL, e);
        o->threads = (int)v;
        return ok;
    default:
        ok = read_number(text, "--level", 1, HINT_LEVELS, &v, NULL, e);
        o->level = (int)v;
        return ok;
    }
}

static bool read_option(enum option_id id, const char *text, struct options *o,
                        struct error *e)
{
    switch (id) {
    case OPT_FROM: o->from = text; return true;
    case OPT_KERNEL: o->kernel = text; return true;
    case OPT_DEVICE: o->device = text; return true;
    case OPT_COMPILER: o->compiler = text; return true;
    case OPT_DATA: o->data_name = text; return data_find(text, &o->data, e);
    case OPT_OPERATOR: return (o->reduction = reduction_find(text, e)) != NULL;
    case OPT_ORDER: o->order_name = text; return read_order(text, &o->order, e);
    case OPT_CHECKS:
        o->has_checks = true;
        return checks_parse(text, &o->checks, e);
    case OPT_BY: return read_by(text, &o->by, e);
    case OPT_LIST_CHECKS: o->list_checks = true; return true;
    case OPT_JSON: o->json = true; return true;
    case OPT_SETS: o->list_data = true; return true;
    case OPT_GPU: return (o->gpu = gpu_find(text, e)) != NULL;
    case OPT_OUT: o->out = text; return true;
    case OPT_LIST_GPUS: o->list_gpus = true; return true;
    case OPT_HELP: o->help = true; return true;
    default: return read_numeric(id, text, o, e);
    }
}

static bool bad_option(int found, char **argv, const char *command,
                       struct error *e)
{
    const char *word = optind > 0 ? argv[optind - 1] : "";

    if (found == ':')
        return error_set(e, "option '%.60s' needs a value", word);
    return error_set(e,
                     "`lab %s` has no option '%.60s'; `lab %s --help` "
                     "lists them",
                     command, word, command);
}

bool options_read(int argc, char **argv, int command, struct options *o,
                  struct error *e)
{
    struct option known[TABLE + 1] = {{0}};
    int count = 0, found;

    *o = (struct options){.shared = -1, .level = 1};
    for (int i = 0; i < TABLE; i++)
        if (table[i].commands & command)
            known[count++] = (struct option){
                table[i].name, table[i].value ? required_argument : no_argument,
                NULL, (int)table[i].id};
    opterr = 0;
    optind = 0;
    while ((found = getopt_long(argc, argv, ":h", known, NULL)) != -1) {
        if (found == '?' || found == ':')
            return bad_option(found, argv, argv[0], e);
        if (!read_option(found == 'h' ? OPT_HELP : (enum option_id)found,
                         optarg, o, e))
            return false;
    }
    o->words = argv + optind;
    o->word_count = argc - optind;
    return true;
}

void options_apply(const struct options *o, struct run_spec *spec)
{
    if (o->has_n)
        spec->n = o->n;
    if (o->has_block)
        spec->block = o->block;
    if (o->has_seed)
        spec->seed = o->seed;
    if (o->data_name)
        spec->data = o->data;
    spec->reduction = o->reduction;
    spec->grid = o->grid;
    spec->shared = o->shared;
    spec->offset = o->offset;
    spec->order = o->order;
    spec->budget = o->budget;
    spec->threads = o->threads;
    if (o->has_checks)
        spec->checks = o->checks;
}

void options_gpu(const struct options *o, const struct kernel *k,
                 struct run_spec *spec)
{
    spec->gpu = o->gpu ? o->gpu : gpu_find(NULL, NULL);
    if (!o->gpu || spec->grid || spec->block == 0)
        return;
    spec->grid =
        model_grid(k->stage, spec->gpu, spec->n, spec->block,
                   spec->shared < 0 ? 4 * spec->block : (uint32_t)spec->shared);
}
