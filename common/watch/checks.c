/* The list of checks. */
#include "watch/checks.h"

#include "watch/race.h"

#include <string.h>

const struct check checks[] = {
    { "race", "two threads use a place and nothing orders them", "race",
      race_watcher, race_watcher_free },
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

bool checks_parse(const char *list, uint32_t *bits, struct error *e)
{
    *bits = 0;
    if (!strcmp(list, "none"))
        return true;
    if (!strcmp(list, "all")) {
        *bits = (1u << check_count) - 1;
        return true;
    }
    for (const char *p = list;; p++) {
        size_t length = strcspn(p, ",");
        int k = find_check(p, length);
        if (k < 0)
            return error_set(e, "there is no check '%.*s'; `lab list "
                                "--checks` names them", (int)length, p);
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
