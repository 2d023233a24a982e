/* The list of checks: where watchers are chosen.  A new check is one file and
 * one row in checks.c. */
#ifndef WATCH_CHECKS_H
#define WATCH_CHECKS_H

#include "base/error.h"
#include "sim/event.h"
#include "watch/finding.h"

struct check {
    const char *name;    /* as in --checks */
    const char *summary; /* what it finds, for `lab list --checks` */
    const char *kinds;   /* the finding kinds it makes, separated by spaces */
    /* A watcher that joins its findings to `list` (at block_end and end). */
    struct watcher *(*make)(struct finding_list *list);
    void (*free)(struct watcher *);
    bool is_extra; /* not in "all": only when named */
};
extern const struct check checks[];
extern const int check_count;

enum { MAX_CHECKS = 32 };

/* The bits of "all". */
uint32_t checks_all(void);
/* "none", or names separated by commas, "all" among them, into a bit a check;
 * false with a message that lists the names for an unknown one. */
bool checks_parse(const char *list, uint32_t *bits, struct error *e);

/* The watchers of the chosen checks; free them with checks_free. */
int checks_make(uint32_t bits, struct finding_list *list,
                struct watcher *watchers[MAX_CHECKS]);
void checks_free(struct watcher *watchers[], int count);

#endif
