/* Comes in: Check's results, a test each, and the state of each stage.  Goes
 * out: points.  A suite is passed when all its tests passed; a stage gets its
 * points by the shares of its passed suites. */
#include "grading/score.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *standing_word(enum standing s)
{
    static const char *const words[] = {"passed", "wrong", "not judged"};
    return words[s];
}

static enum standing worse(enum standing a, enum standing b)
{
    return a > b ? a : b;
}

/* A test that ended without telling us why: it crashed or took too long. */
static void died(struct suite_score *s, const char *message,
                 struct arena *messages)
{
    bool is_slow = strstr(message, "timeout") != NULL;
    s->standing = is_slow ? STANDING_WRONG : STANDING_UNJUDGED;
    s->message = is_slow
                     ? "it took too long and was ended"
                     : arena_printf(messages,
                                    "the simulator failed, which is a fault of "
                                    "the kit: %s",
                                    message);
}

static void count_tests(struct suite_score *s, const char *name,
                        TestResult **results, int count, struct arena *messages)
{
    for (int k = 0; k < count; k++) {
        if (strcmp(tr_tcname(results[k]), name) != 0)
            continue;
        s->tests++;
        if (tr_rtype(results[k]) == CK_PASS)
            continue;
        s->failures++;
        if (s->standing == STANDING_PASSED)
            died(s, tr_msg(results[k]), messages);
    }
}

static void score_stage(struct score *score, const struct grading *g, int index,
                        TestResult **results, int count, struct arena *messages)
{
    struct stage_score *to = &score->stages[score->stage_count++];
    int shares = 0, earned = 0, suites = 0;
    to->stage = &stages[index];
    for (int k = 0; k < grade_suite_count; k++) {
        if (g->is_suite_left_out[k])
            continue;
        struct suite_score *s = &to->suites[suites++];
        const struct stage_state *state = &g->states[k * stage_count + index];
        char name[128];
        suite_case_name(k, index, name, sizeof name);
        s->name = grade_suites[k].name;
        if (state->is_wrong || state->is_unjudged) {
            s->standing = state->is_wrong ? STANDING_WRONG : STANDING_UNJUDGED;
            s->message = arena_printf(messages, "%s", state->message);
            s->again = *state->again
                           ? arena_printf(messages, "%s", state->again)
                           : NULL;
        }
        count_tests(s, name, results, count, messages);
        shares += grade_suites[k].share;
        earned += s->standing == STANDING_PASSED ? grade_suites[k].share : 0;
        to->standing = worse(to->standing, s->standing);
    }
    assert(shares > 0); /* choose_suites() */
    to->points = to->stage->points * earned / shares;
}

void score_collect(struct score *score, const struct grading *g, SRunner *sr,
                   struct arena *messages)
{
    TestResult **results = srunner_results(sr);
    int count = srunner_ntests_run(sr);
    memset(score, 0, sizeof *score);
    score->from = g->from;
    for (int k = 0; k < grade_suite_count; k++)
        score->suite_count += !g->is_suite_left_out[k];
    for (int k = 0; k < stage_count; k++) {
        if (!g->is_chosen[k])
            continue;
        score_stage(score, g, k, results, count, messages);
        const struct stage_score *s = &score->stages[score->stage_count - 1];
        score->points += s->points;
        score->max_points += s->stage->points;
        score->passed += s->standing == STANDING_PASSED;
        score->wrong += s->standing == STANDING_WRONG;
        score->unjudged += s->standing == STANDING_UNJUDGED;
    }
    free(results);
}

int score_exit_status(const struct score *s)
{
    if (s->unjudged)
        return 2;
    return s->wrong ? 1 : 0;
}
