/* lab: the program behind every make target.
 *
 *     lab COMMAND [STAGE|FILE] [options]
 *
 * This file only finds the command, and sees to it that Ctrl-C, a full disk
 * and a reader that went away end in a line and an exit status: 0 passed, 1
 * something failed, 2 could not run, 130 stopped. */
#include "grading/cmd.h"
#include "lab/number.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static volatile int cancelled;

static const struct {
    const char *name;
    const char *words; /* what stands behind it */
    int command;       /* FOR_ bit */
    int words_min, words_max;
    command_fn *run;
    const char *meaning;
} commands[] = {
    {"check", "STAGE|FILE", FOR_CHECK, 1, 1, cmd_check,
     "is your kernel of this stage right?"},
    {"hint", "STAGE", FOR_HINT, 1, 1, cmd_hint, "a hint, of three levels"},
    {"reset", "STAGE", FOR_OTHERS, 1, 1, cmd_reset,
     "the kernel as it was shipped; yours is kept"},
    {"diff", "STAGE", FOR_OTHERS, 1, 1, cmd_diff, "what you changed"},
    {"progress", "", FOR_PROGRESS, 0, 0, cmd_progress, "how far you are"},
    {"run", "STAGE|FILE", FOR_RUN, 1, 1, cmd_run, "one launch, as you say"},
    {"counters", "STAGE|FILE", FOR_COUNTERS, 1, 1, cmd_counters,
     "what a launch did, as a profiler counts"},
    {"trace", "STAGE|FILE", FOR_TRACE, 1, 1, cmd_trace,
     "a page that plays one block of a launch"},
    {"compare", "A B", FOR_TRACE, 2, 2, cmd_compare,
     "the same for two, side by side in step"},
    {"report", "", FOR_REPORT, 0, 0, cmd_report,
     "a page about a run of the whole ladder"},
    {"demo", "", FOR_DEMO, 0, 0, cmd_demo, "the solutions, a table"},
    {"list", "", FOR_LIST, 0, 0, cmd_list, "the ladder"},
    {"sweep", "STAGE|FILE", FOR_MODEL, 1, 1, cmd_sweep,
     "blocks and grids: which is fastest?"},
    {"experiment", "NAME", FOR_MODEL, 1, 1, cmd_experiment,
     "ladder crossover block-size steps accuracy atomics"},
    {"plot", "[NAME]", FOR_MODEL, 0, 1, cmd_plot,
     "pictures of experiments, by gnuplot"},
    {"doctor", "", FOR_OTHERS, 0, 0, cmd_doctor,
     "tools, versions and devices found"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    /* The second Ctrl-C does not wait for us. */
    if (cancelled)
        _Exit(130);
    cancelled = 1;
}

static void usage(FILE *out)
{
    fprintf(out, "CUDA Reduction Labs\n\nusage: lab COMMAND ...\n\n");
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-9s %-11s %s\n", commands[i].name, commands[i].words,
                commands[i].meaning);
    fprintf(out, "\n`lab COMMAND --help` lists the options of one.\n"
                 "Exit status: 0 passed, 1 something failed, 2 could not "
                 "run.\n");
}

int cannot(const struct error *e)
{
    fflush(stdout);
    fprintf(stderr, "lab: %s\n", e->text);
    return OUTCOME_CANNOT;
}

static int no_command(const char *name)
{
    struct error e;

    for (int i = 0; i < COMMANDS; i++) {
        if (edit_distance(name, commands[i].name) > 2)
            continue;
        error_set(&e, "no command '%.40s'; did you mean 'lab %s'?", name,
                  commands[i].name);
        return cannot(&e);
    }
    error_set(&e, "no command '%.40s'; `lab --help` lists them", name);
    return cannot(&e);
}

static int run_command(int c, int argc, char **argv)
{
    struct context context = {.cancel = &cancelled};
    struct options options;
    struct error e;

    if (!options_read(argc, argv, commands[c].command, &options, &e))
        return cannot(&e);
    if (options.help) {
        printf("usage: lab %s %s [options]\n  %s\n\n", commands[c].name,
               commands[c].words, commands[c].meaning);
        options_help(stdout, commands[c].command);
        return OUTCOME_OK;
    }
    if (options.word_count < commands[c].words_min &&
        commands[c].words_min > 1) {
        error_set(&e, "lab %s: which two? for example: lab %s v2 v3",
                  commands[c].name, commands[c].name);
        return cannot(&e);
    }
    if (options.word_count < commands[c].words_min) {
        error_set(&e, "lab %s: which %s? for example: lab %s v3",
                  commands[c].name,
                  strchr(commands[c].words, '|') ? "stage or file" : "stage",
                  commands[c].name);
        return cannot(&e);
    }
    if (options.word_count > commands[c].words_max) {
        error_set(&e, "lab %s: '%.60s' is one word too many", commands[c].name,
                  options.words[commands[c].words_max]);
        return cannot(&e);
    }
    if (options.json && !json_available(&e))
        return cannot(&e);
    if (!home_find(&context.home, &e))
        return cannot(&e);
    return commands[c].run(&context, &options);
}

static int find_and_run(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        usage(argc < 2 ? stderr : stdout);
        return argc < 2 ? OUTCOME_CANNOT : OUTCOME_OK;
    }
    for (int c = 0; c < COMMANDS; c++)
        if (strcmp(argv[1], commands[c].name) == 0)
            return run_command(c, argc - 1, argv + 1);
    return no_command(argv[1]);
}

int main(int argc, char **argv)
{
    struct sigaction interrupt = {.sa_handler = on_interrupt};
    struct error e;

    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGTERM, &interrupt, NULL);
    signal(SIGPIPE, SIG_IGN); /* a write that fails is seen below */
    int status = find_and_run(argc, argv);
    if (cancelled) {
        fprintf(stderr, "lab: stopped\n");
        return 130;
    }
    if (!report_finish(stdout, &e))
        return cannot(&e);
    return status;
}
