/* lab plot: pictures of the experiments, drawn by gnuplot from their CSV.
 *
 * grading/plots/NAME.gp is the recipe of one experiment; it finds the path of
 * the table in `csv` and has `load style` do what all share. */
#include "grading/experiment.h"
#include "lab/process.h"

#include <string.h>
#include <unistd.h>

enum { GNUPLOT_LIMIT_S = 60 };

/* Letters that gnuplot would read as the end of a path. */
static bool is_plain(const char *path)
{
    return strpbrk(path, "'\"\\`\n") == NULL;
}

static bool draw_one(const struct context *context, const char *gnuplot,
                     const char *name, const char *kind, struct error *e)
{
    char set[4000], recipe[1200];
    struct process_result ran;

    snprintf(set, sizeof set,
             "csv='%s/%s.csv'; out='%s/%s.%s'; kind='%s'; "
             "style='%s/grading/plots/style.gp'",
             context->home.state, name, context->home.state, name, kind, kind,
             context->home.root);
    snprintf(recipe, sizeof recipe, "%s/grading/plots/%s.gp",
             context->home.root, name);
    char *const argv[] = {(char *)gnuplot, "-e", set, recipe, NULL};
    if (!process_run(argv, GNUPLOT_LIMIT_S, context->cancel, &ran, e))
        return false;
    bool ok = ran.status == 0;
    if (!ok)
        error_set(e, "gnuplot cannot draw %s.%s: %.200s", name, kind,
                  ran.err.data ? ran.err.data : "");
    process_result_free(&ran);
    return ok;
}

bool plot_draw(const struct context *context, const char *name, struct error *e)
{
    static const char *const kinds[] = {"svg", "png"};
    const char *root = context->home.root, *state = context->home.state;
    char gnuplot[1024];

    if (!process_find("gnuplot", gnuplot, sizeof gnuplot)) {
        printf("for pictures: apt-get install gnuplot-nox, then make plot\n");
        return true;
    }
    if (!is_plain(state) || !is_plain(root))
        return error_set(e, "gnuplot cannot work in a folder with quotes");
    for (int i = 0; i < 2; i++)
        if (!draw_one(context, gnuplot, name, kinds[i], e))
            return false;
    size_t length = strlen(root);
    if (strncmp(state, root, length) == 0 && state[length] == '/')
        state += length + 1;
    printf("as a picture: %s/%s.svg and .png\n", state, name);
    return true;
}

static bool has_table(const struct context *context, const char *name)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s.csv", context->home.state, name);
    return access(path, R_OK) == 0;
}

/* Those that were made so far. */
static int plot_all(struct context *context)
{
    struct error e;
    int drawn = 0, status = OUTCOME_OK;

    for (int i = 0;; i++) {
        const char *name = experiment_name(i) ? experiment_name(i) : "sweep";
        if (has_table(context, name)) {
            drawn++;
            if (!plot_draw(context, name, &e))
                status = cannot(&e);
        }
        if (!experiment_name(i))
            break;
    }
    if (drawn)
        return status;
    error_set(&e, "there is nothing to draw yet: make experiment NAME=ladder");
    return cannot(&e);
}

int cmd_plot(struct context *context, const struct options *o)
{
    struct error e;

    if (o->word_count == 0)
        return plot_all(context);
    if (!has_table(context, o->words[0]) || o->has_n || o->gpu)
        return cmd_experiment(context, o); /* which draws */
    return plot_draw(context, o->words[0], &e) ? OUTCOME_OK : cannot(&e);
}
