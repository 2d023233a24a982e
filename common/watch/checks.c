/* The list of checks. */
#include "watch/checks.h"

#include "watch/barrier.h"
#include "watch/bounds.h"
#include "watch/coverage.h"
#include "watch/mask.h"
#include "watch/progress.h"
#include "watch/race.h"
#include "watch/suspicious.h"
#include "watch/uninit.h"

#include <stdio.h>
#include <string.h>

const struct check checks[] = {
    {"bounds", "accesses outside an array, misaligned, or to the input",
     "out-of-bounds misaligned input-written", bounds_watcher, teller_free,
     false},
    {"barrier", "a __syncthreads() that some threads do not reach",
     "barrier-divergence", barrier_watcher, teller_free, false},
    {"mask", "warp-wide operations whose mask is not who is there",
     "bad-sync-mask", mask_watcher, teller_free, false},
    {"progress", "endless loops, deadlocks, traps and failed asserts",
     "no-progress trap", progress_watcher, teller_free, false},
    {"race", "two threads use a place and nothing orders them", "race",
     race_watcher, race_watcher_free, false},
    {"uninitialized", "words and variables that nobody gave a value",
     "uninitialized", uninit_watcher, teller_free, false},
    {"suspicious", "what is hardly ever meant: warnings only", "suspicious",
     suspicious_watcher, teller_free, false},
    {"coverage", "elements of the input never read, or read again", "coverage",
     coverage_watcher, coverage_watcher_free, true},
};
const int check_count = sizeof checks / sizeof *checks;

static int find_check(const char *name, size_t length)
{
    for (int k = 0; k < check_count; k++)
        if (strlen(checks[k].name) == length &&
            !strncmp(checks[k].name, name, length))
            return k;
    return -1;
}

uint32_t checks_all(void)
{
    uint32_t bits = 0;
    for (int k = 0; k < check_count; k++)
        if (!checks[k].is_extra)
            bits |= 1u << k;
    return bits;
}

static bool unknown_check(const char *name, size_t length, struct error *e)
{
    char known[400] = "";
    size_t used = 0;
    for (int k = 0; k < check_count && used < sizeof known; k++)
        used += (size_t)snprintf(known + used, sizeof known - used, ", %s",
                                 checks[k].name);
    return error_set(e, "there is no check '%.*s'; there are all, none%s",
                     (int)(length < 40 ? length : 40), name, known);
}

bool checks_parse(const char *list, uint32_t *bits, struct error *e)
{
    *bits = 0;
    if (!strcmp(list, "none"))
        return true;
    for (const char *p = list;; p++) {
        size_t length = strcspn(p, ",");
        int k = find_check(p, length);
        if (length == 3 && !strncmp(p, "all", 3))
            *bits |= checks_all();
        else if (k < 0)
            return unknown_check(p, length, e);
        else
            *bits |= 1u << k;
        p += length;
        if (!*p)
            return true;
    }
}

int checks_make(uint32_t bits, struct finding_list *list,
                struct watcher *watchers[MAX_CHECKS])
{
    int count = 0;
    for (int k = 0; k < check_count; k++)
        if (bits >> k & 1)
            watchers[count++] = checks[k].make(list);
    return count;
}

void checks_free(struct watcher *watchers[], int count)
{
    for (int w = 0; w < count; w++)
        for (int k = 0; k < check_count; k++)
            if (!strcmp(watchers[w]->name, checks[k].name)) {
                checks[k].free(watchers[w]);
                break;
            }
}
