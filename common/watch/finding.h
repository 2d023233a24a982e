/* Findings: what a student's kernel did wrong, merged by place.
 *
 * A kernel of a million threads makes the same mistake a million times.  The
 * list keeps one finding a place and counts the rest.  Two findings are the
 * same place when kind, file, line and other line agree (the two lines of a
 * race in either order); the words of the greatest weight stay, among those
 * the first one's.
 *
 * Watchers add to a list of their own for each block and join it to the
 * launch's list at block_end, which comes in the launch's block order: so the
 * words and their order do not depend on the host's threads. */
#ifndef WATCH_FINDING_H
#define WATCH_FINDING_H

#include "sim/launch.h"

enum severity {
    SEVERITY_ERROR,   /* the stage is not passed */
    SEVERITY_WARNING, /* told, but fails nothing */
};

/* When is a finding told that only explains a wrong sum? */
enum excuse {
    ONLY_ALWAYS,
    ONLY_IF_WRONG,     /* the sum is wrong */
    ONLY_IF_FRACTIONS, /* the sum is wrong, and the input has fractions */
};

struct finding {
    const char *kind; /* "out-of-bounds", "race" ...: a string constant */
    enum severity severity;
    const char *space; /* "global", "shared", "local", "constant": a string
                          constant; NULL if the finding is not about memory */
    char *file;     /* the student's file as the compiler named it, or NULL */
    int line;       /* 0 unknown */
    int other_line; /* the other party's line, 0 none */
    char *message;  /* what happened, one sentence, no file:line in front */
    char *hint;     /* what to look at next, or NULL */
    uint64_t count; /* how often at this place, >= 1 */
    int weight;     /* of its words, against others at this place */
    /* Who it was, the first time; for a race the other one, too. */
    bool has_thread, has_other;
    uint64_t block, other_block;
    uint32_t thread, other_thread;
    /* Not NONE: a mistake only if the launch's results depend on garbage of
     * that kind; see finding_settle. */
    enum garbage depends_on;
    enum excuse only_if; /* no mistake by itself; see finding_drop_excuses */
    bool if_harmless;    /* with depends_on: told if the results do not depend
                            on that garbage */
};

struct finding_list {
    struct finding *items;
    int count, capacity;
};

/* Adds a copy, or raises the count (by f->count; 0 means 1) of the finding
 * that is there for this place. */
void finding_add(struct finding_list *, const struct finding *f);
/* The index of the finding for the place of *f, or -1. */
int finding_index(const struct finding_list *, const struct finding *f);
/* Adds all of `from`, which stays as it is. */
void finding_join(struct finding_list *, const struct finding_list *from);
/* It is known now whether results depend on that garbage: findings that hang
 * on it become certain, or go away. */
void finding_settle(struct finding_list *, enum garbage, bool matters);
/* Findings that would only explain a wrong sum go away if it is right, and
 * those about lost fractions if the input has none. */
void finding_drop_excuses(struct finding_list *, bool is_right, bool is_whole);
/* Bit g is set if a finding depends on garbage g. */
uint32_t finding_doubts(const struct finding_list *);
/* Has the list a finding of that kind? */
bool finding_has(const struct finding_list *, const char *kind);
/* Errors first; then the likeliest cause first (a bad index or a missed
 * barrier may be what makes a race); then by file, line, other line. */
void finding_sort(struct finding_list *);
/* The number of places with SEVERITY_ERROR. */
int finding_errors(const struct finding_list *);
void finding_free(struct finding_list *); /* the list is empty again */

#endif
