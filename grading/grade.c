/* The grader.  Comes in: a folder with a kernel.cu a stage.  Goes out: a line
 * a stage, points, and why each lost point was lost.
 *
 *   grade --from labs          judges labs/v0_atomic/kernel.cu and so on
 *
 * Exit status: 0 all passed, 1 some stage is wrong, 2 could not judge. */
#include "grading/score.h"
#include "lab/process.h"
#include "lab/report.h"
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char help[] =
    "usage: grade [options] [STAGE...]\n"
    "  --from FOLDER    judge FOLDER/v0_atomic/kernel.cu and so on\n"
    "                   (labs, solutions or any folder; default labs)\n"
    "  --compiler NAME  nvcc or clang\n"
    "  --device NAME    sim (default) or cuda\n"
    "  --suites LIST    only these of correct, fast, clean, concept\n"
    "  --json           one JSON object instead of text\n"
    "  --junit FILE     every test as JUnit XML\n"
    "  --tap FILE       every test as TAP, written by Check\n"
    "  --xml FILE       every test as Check's own XML\n"
    "exit status: 0 all passed, 1 some stage is wrong, 2 could not judge\n";

struct options {
    const char *junit, *tap, *xml;
    bool is_json;
};

static bool choose_stages(struct grading *g, int count, char **names,
                          struct error *e)
{
    for (int k = 0; k < stage_count && count == 0; k++)
        g->is_chosen[k] = true;
    for (int k = 0; k < count; k++) {
        const struct stage *s = stage_find(names[k], e);
        if (!s)
            return false;
        g->is_chosen[s - stages] = true;
    }
    return true;
}

/* "clean,concept": points are then shared between these alone. */
static bool choose_suites(struct grading *g, char *list, struct error *e)
{
    char *rest;
    bool any = false;
    memset(g->is_suite_left_out, true, sizeof g->is_suite_left_out);
    for (char *name = strtok_r(list, ",", &rest); name;
         name = strtok_r(NULL, ",", &rest)) {
        int k = 0;
        while (k < grade_suite_count && strcmp(grade_suites[k].name, name) != 0)
            k++;
        if (k == grade_suite_count)
            return error_set(e,
                             "there is no suite '%s'; the suites are "
                             "correct, fast, clean and concept",
                             name);
        g->is_suite_left_out[k] = false;
        any = true;
    }
    return any || error_set(e, "--suites names none");
}

/* -1: go on; else the exit status. */
static int read_options(struct grading *g, struct options *o, int argc,
                        char **argv)
{
    static const struct option list[] = {
        {"from", required_argument, NULL, 'f'},
        {"compiler", required_argument, NULL, 'c'},
        {"device", required_argument, NULL, 'd'},
        {"suites", required_argument, NULL, 's'},
        {"json", no_argument, NULL, 'j'},
        {"junit", required_argument, NULL, 'u'},
        {"tap", required_argument, NULL, 't'},
        {"xml", required_argument, NULL, 'x'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    struct error e = {{0}};
    char *suites = NULL;
    int c;
    while ((c = getopt_long(argc, argv, "h", list, NULL)) != -1) {
        switch (c) {
        case 'f': g->from = optarg; break;
        case 'c': g->compiler = optarg; break;
        case 'd': g->device = optarg; break;
        case 's': suites = optarg; break;
        case 'j': o->is_json = true; break;
        case 'u': o->junit = optarg; break;
        case 't': o->tap = optarg; break;
        case 'x': o->xml = optarg; break;
        case 'h': fputs(help, stdout); return 0;
        default: fputs(help, stderr); return 2;
        }
    }
    if ((suites && !choose_suites(g, suites, &e)) ||
        !choose_stages(g, argc - optind, argv + optind, &e)) {
        fprintf(stderr, "grade: %s\n", e.text);
        return 2;
    }
    return -1;
}

/* A folder of the user's must be there; what else lies in it is named, as it
 * may be a stage whose name was mistyped. */
static bool check_folder(const struct grading *g, struct error *e)
{
    struct error unused;
    if (!strcmp(g->from, "labs") || !strcmp(g->from, "solutions"))
        return true;
    DIR *folder = opendir(g->from);
    if (!folder)
        return error_set(e, "cannot read the folder %s: %s", g->from,
                         strerror(errno));
    for (struct dirent *d; (d = readdir(folder));) {
        const struct stage *s = stage_find(d->d_name, &unused);
        if (d->d_name[0] != '.' && (!s || strcmp(s->name, d->d_name) != 0))
            fprintf(stderr, "not judged, as it is no stage: %s/%s\n", g->from,
                    d->d_name);
    }
    closedir(folder);
    return true;
}

static volatile int is_stopped;

static void on_stop(int signal_number)
{
    (void)signal_number;
    is_stopped = 1;
}

/* In a process of its own.  The compiler is in a group of its own, out of
 * reach of a Ctrl-C, and must not outlive us. */
static void compile_stage(const struct grading *g, int stage)
{
    struct sigaction stop = {.sa_handler = on_stop};
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    struct error e = {{0}};
    struct compiled compiled = {0};
    char path[1024];
    struct compile_request request = {.home = &g->home,
                                      .source = path,
                                      .compiler = g->compiler,
                                      .cancel = &is_stopped};
    if (!home_kernel(&g->home, g->from, stages[stage].name, path, sizeof path,
                     &e) ||
        access(path, F_OK) != 0)
        return;
    struct stage_compiled *to = &g->compiled[stage];
    enum outcome outcome = compile_kernel(&request, &compiled, &e);
    snprintf(to->message, sizeof to->message, "%s", e.text);
    to->outcome = outcome;
}

/* Compiles ahead, a process a stage and as many at once as there are cores,
 * so that the tests find the PTX in the cache. */
static void compile_ahead(const struct grading *g)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int running = 0;
    for (int k = 0; k < stage_count && *g->home.cache; k++) {
        if (!g->is_chosen[k])
            continue;
        if (running >= cores && wait(NULL) > 0)
            running--;
        pid_t child = fork();
        if (child > 0)
            running++;
        if (child != 0)
            continue;
        compile_stage(g, k);
        _exit(0);
    }
    while (wait(NULL) > 0)
        ;
}

static SRunner *run_suites(const struct grading *g, const struct options *o)
{
    SRunner *sr = srunner_create(NULL);
    for (int k = 0; k < grade_suite_count; k++)
        if (!g->is_suite_left_out[k])
            srunner_add_suite(sr, grade_suites[k].make(g, k));
    srunner_set_fork_status(sr, CK_FORK);
    if (o->tap)
        srunner_set_tap(sr, o->tap);
    if (o->xml)
        srunner_set_xml(sr, o->xml);
    srunner_run_all(sr, CK_SILENT);
    ticker_clear(&g->clock->ticker);
    return sr;
}

static bool print_score(const struct score *score, const struct options *o,
                        SRunner *sr, struct error *e)
{
    if (o->junit && !score_write_junit(o->junit, score, sr, e))
        return false;
    if (o->is_json)
        return score_print_json(stdout, score, e);
    score_print(stdout, score);
    return report_finish(stdout, e);
}

struct shared {
    struct grade_clock clock;
    struct stage_compiled compiled[GRADE_STAGES];
    struct stage_state states[];
};

static bool share_memory(struct grading *g, struct error *e)
{
    size_t states = (size_t)(grade_suite_count * stage_count);
    struct shared *shared =
        mmap(NULL, sizeof *shared + states * sizeof *g->states,
             PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return error_set(e, "not enough memory");
    g->clock = &shared->clock;
    g->compiled = shared->compiled;
    g->states = shared->states;
    return true;
}

int main(int argc, char **argv)
{
    struct arena arena = {NULL};
    struct grading g = {.from = "labs", .names = &arena};
    struct options o = {0};
    struct error e = {{0}};
    struct score score;
    int status = read_options(&g, &o, argc, argv);
    if (status >= 0)
        return status;
    if (!share_memory(&g, &e) || !home_find(&g.home, &e) ||
        !check_folder(&g, &e)) {
        fprintf(stderr, "grade: %s\n", e.text);
        return 2;
    }
    compile_ahead(&g);
    SRunner *sr = run_suites(&g, &o);
    score_collect(&score, &g, sr, &arena);
    status = score_exit_status(&score);
    if (!print_score(&score, &o, sr, &e)) {
        fprintf(stderr, "grade: %s\n", e.text);
        status = 2;
    }
    srunner_free(sr);
    arena_free(&arena);
    return status;
}
