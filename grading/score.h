/* From Check's results to points, and the formats they are written in. */
#ifndef GRADING_SCORE_H
#define GRADING_SCORE_H

#include "grading/suites.h"
#include <stdio.h>

enum standing { STANDING_PASSED, STANDING_WRONG, STANDING_UNJUDGED };
const char *standing_word(enum standing); /* "passed" "wrong" "not judged" */

struct suite_score {
    const char *name;
    enum standing standing;
    int tests, failures;
    const char *message; /* the first thing that went wrong, or NULL */
    const char *again;   /* a command that shows it, or NULL */
};
struct stage_score {
    const struct stage *stage;
    enum standing standing; /* the worst of its suites */
    int points;             /* of stage->points */
    struct suite_score suites[GRADE_SUITES];
};
struct score {
    const char *from;
    struct stage_score stages[GRADE_STAGES];
    int stage_count;
    int suite_count;
    int points, max_points;
    int passed, wrong, unjudged; /* stages */
};

/* `messages` keeps what the score points to. */
void score_collect(struct score *, const struct grading *, SRunner *,
                   struct arena *messages);
/* 0 all passed, 1 some wrong, 2 some could not be judged. */
int score_exit_status(const struct score *);

void score_print(FILE *, const struct score *);
bool score_print_json(FILE *, const struct score *, struct error *);
/* Every test by itself, for tools that read JUnit's XML. */
bool score_write_junit(const char *path, const struct score *, SRunner *,
                       struct error *);

#endif
