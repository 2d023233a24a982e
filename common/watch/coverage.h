/* Coverage: with the right kernel every element of the input is loaded
 * exactly once.  One that samples, hard-codes or remembers an answer leaves
 * elements unread, whatever sum comes out.
 *
 *   coverage, an error    an element is never read
 *   coverage, a warning   one is read more than once: it costs time, and it is
 *                         the reason if the sum is too large
 *
 * Two bits an element, "read" and "read again", set with atomic ORs: blocks on
 * several host threads may read the same element, and the order of ORs does
 * not matter.  Only for kernels with the kit's signature. */
#ifndef WATCH_COVERAGE_H
#define WATCH_COVERAGE_H

#include "watch/finding.h"

struct watcher *coverage_watcher(struct finding_list *);
void coverage_watcher_free(struct watcher *);

#endif
